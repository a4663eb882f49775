import type { SourceKind } from '../observations/observation.ts'

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

/** What a customer decided that its members are shown, while it holds (decisions 17.1). Unix milliseconds. */
export type HeldVerdict = {
  /** 3 or -3. */
  reputation: number
  /** When it was given: of several that a reader reads the latest decides. */
  at: number
  /** When it ends by itself; 0: never. */
  until: number
}

/** A row of `entities`: what one audience may know of one entity, and the claims it follows from (ADR 265). Unix ms. */
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
  /** Whether a mark covers it, which floors its reputation like a mark on the entity itself (ADR 270). */
  covered: boolean
  /** Whether its own mark covers the entities under it; in the row of the mark's audience. */
  covers: boolean
  /** Whether a mark of it covered the entities under it, until it was cleared (ADR 270). */
  cleared: boolean
  /** Nothing counts that was said to this audience: no reader is shown the row among others (decisions 17.3). */
  retracted: boolean
  /**
   * Without claims, and `lastSeen` is that of a match: views that the row is part of were seen by then, and are shown nothing
   * else of it (ADR 219).
   */
  met: boolean
  /** Decides reputation and accuracy of the row, and of views that it is part of (ADR 208). */
  verdict: HeldVerdict | null
  tags: readonly string[]
  /** Tags that the row had and has no more: the rows by tag are told so (ADR 270). */
  lostTags: readonly string[]
  attributes: Readonly<Record<string, string>>
  attributeTimes: Readonly<Record<string, number>>
  country: string
  asn: number
  aso: string
  firstSeen: number
  lastSeen: number
  /** The score is as of this moment: the last sighting, or the last re-evaluation after it that changed the row. */
  scoredAt: number
  /** When the score is next another by the passing of time alone (`nextChange`); 0: never. */
  due: number
  claims: readonly Claim[]
}

/** What of a row its score follows from, and the score that it has. */
export type ScoredRow = Pick<
  EntityState,
  'entityId' | 'type' | 'audience' | 'reputation' | 'accuracy' | 'wellKnown' | 'covered' | 'verdict' | 'scoredAt'
> & { claims: readonly Pick<Claim, 'source' | 'kind' | 'trust' | 'reputation' | 'at'>[] }

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
