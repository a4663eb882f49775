import type { Named } from '../entity.ts'

/**
 * An attribute in the words of the catalogue: its main value, what describes it and what it stands beside. `lost`: why a half
 * of it is left out.
 */
export type Mapped = Named & { attributes: Record<string, string>; beside: Named[]; lost?: string }

export type Unmapped = { reason: string }
