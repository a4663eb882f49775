import type { Type } from 'avsc'

export const LEVELS = [
  'NONE',
  'BACKWARD',
  'BACKWARD_TRANSITIVE',
  'FORWARD',
  'FORWARD_TRANSITIVE',
  'FULL',
  'FULL_TRANSITIVE',
] as const
export type Level = (typeof LEVELS)[number]

export const isLevel = (value: unknown): value is Level => LEVELS.includes(value as Level)

/**
 * Why `candidate` may not follow `versions` (oldest first) at this level; empty when it may. BACKWARD: it reads what
 * was written before; FORWARD: what it writes is read by those before; TRANSITIVE: all of them, not the last alone.
 */
export function conflicts(level: Level, candidate: Type, versions: readonly Type[]): string[] {
  if (level === 'NONE') return []
  const compared = level.endsWith('TRANSITIVE') ? versions : versions.slice(-1)
  return compared.flatMap((version) => [
    ...(level.startsWith('FORWARD') ? [] : unreadable(candidate, version)),
    ...(level.startsWith('BACKWARD') ? [] : unreadable(version, candidate)),
  ])
}

function unreadable(reader: Type, writer: Type): string[] {
  try {
    reader.createResolver(writer)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}
