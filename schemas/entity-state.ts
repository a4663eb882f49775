import type { SourceKind } from './observation.ts'

/** What one source has said of an entity to one audience: sightings too, with a reputation of null (design 5). */
export type Claim = {
  source: string
  kind: SourceKind
  trust: number
  reputation: number | null
  /** When the reputation was stated; 0 without one. */
  claimedAt: number
  /** Last sighting by this source: the age of the claim counts from here. */
  at: number
  /** Time and content of the observation that was last kept as a history record (decisions 4, duplicates). */
  keptAt: number
  keptHash: bigint
  firstSeen: number
}

/** A row of `entities`: what one audience may know of one entity, and the claims it follows from. Times are unix ms. */
export type EntityState = {
  entityId: string
  type: string
  value: string
  audience: bigint
  partition: number
  /** Offset after the last observation applied: what is below it changes nothing any more. */
  version: number
  reputation: number
  accuracy: number
  best: number
  worst: number
  sources: number
  wellKnown: boolean
  tags: readonly string[]
  attributes: Readonly<Record<string, string>>
  attributeTimes: Readonly<Record<string, number>>
  country: string
  asn: number
  aso: string
  firstSeen: number
  lastSeen: number
  claims: readonly Claim[]
}

/** The key that rows of an entity are stored and looked up by: the first 8 bytes of its digest. */
export const entityKey = (entityId: string): bigint => BigInt(`0x${entityId.slice(-64, -48)}`)

/** Every audience's row of one entity; few, so they are searched. */
export type EntityStates = readonly EntityState[]

/** The rows with this one in place of its audience's; the given list is left as it is. */
export function withRow(rows: EntityStates, row: EntityState): EntityStates {
  if (rows.length === 0) return [row]
  const at = rows.findIndex((r) => r.audience === row.audience)
  return at < 0 ? [...rows, row] : rows.with(at, row)
}
