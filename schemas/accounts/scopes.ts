/** Scopes of key pairs: which routes a key may call (decisions 16.1; ADR 227). */

export const SCOPES = [
  'read',
  'search',
  'feeds:read',
  'feeds:write',
  'ingest',
  'match',
  'casework',
  'account',
  'admin',
] as const
export type Scope = (typeof SCOPES)[number]

/** A scope that a newer version stored opens nothing here. */
export const knownScopes = (scopes: readonly string[]): Scope[] => scopes.filter(isScope)

const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
