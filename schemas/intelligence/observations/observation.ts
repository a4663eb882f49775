/**
 * The record that everything else is made of: one entity, one source, one moment (docs/contribute/architecture.md).
 * The shapes here are what the Avro schemas beside this file decode to.
 */

export type LinkMode = 'aggregation' | 'association'

/**
 * An outgoing relation of the observed entity. `relationship`: a STIX relationship type (relationship.ts), null where
 * none is stated; one link may be stated with several of them (ADR 222).
 */
export type Link = { mode: LinkMode; entityId: string; relationship: string | null }

export type SourceKind = 'customer' | 'user' | 'feed' | 'scan' | 'trusted'

/**
 * `covered`: a covering mark covers the entity; not a claim, and not in the history of records (ADR 270).
 * `tick`: re-evaluates rows with scores that are due to decay; also not in the history of records (ADR 269).
 * `retraction`: takes back what a source said within a window; no history record (ADR 270).
 * `unmark`: clears the well-known mark of the entity; `uncovered`: no mark covers the entity any more; neither is in the
 * history of records (ADR 270).
 * `verdict`: a customer decides what its members are shown; no source and no claim, but a history record (ADR 208).
 * `rescored`: the scoring rules became others; tells who was not told yet, and is not in the history of records (ADR 271).
 * `match`: the telemetry of an owner met the entity on that day; no source and no claim, but a history record (ADR 219).
 */
export type ObservationKind =
  | 'report'
  | 'well_known'
  | 'retraction'
  | 'tick'
  | 'covered'
  | 'unmark'
  | 'uncovered'
  | 'verdict'
  | 'rescored'
  | 'match'

/**
 * What a retraction takes back, by the times of the observations: [from, to], both included, unix milliseconds. What the
 * source held before, and holds again, is `held`, with the reputation, the trust and the kind of the source in the
 * record itself; null: it had not seen the entity before.
 */
export type Retracted = {
  from: number
  to: number
  /** `claimedAt`: when the reputation was stated, 0 for a sighting; `at`: the last sighting. Both before `from`. */
  held: { claimedAt: number; at: number } | null
  /** What the row loses beside the claim; null: nothing, as in records of older releases (ADR 270). */
  described: Undescribed | null
}

/**
 * Tags and attributes of a row that reports gave which do not count any more, and no other one gives (decisions 17.3).
 * They follow from the history beside a row of this version; a row that has changed since keeps what it has (ADR 270).
 */
export type Undescribed = {
  version: number
  /** Sorted. */
  tags: string[]
  /** What stands in the place of each value, and when it was stated in unix milliseconds; null: nothing. */
  attributes: Record<string, { value: string; at: number } | null>
}

/** What a verdict says beside its reputation, which is 3, -3, or null where it is taken back (decisions 17.1). */
export type VerdictTerms = {
  reason: string
  /** When it ends by itself, unix milliseconds; 0: never. */
  until: number
}

export type Observation = {
  /** UUID. Also the id of the history record that this observation may become. */
  id: string
  /** UUID shared by every observation of one submission. */
  submissionId: string
  /** `<type>-<SHA3-256 hex of the normalised main value>` (decisions 3.1). */
  entityId: string
  type: string
  /** The normalised main value. */
  value: string
  /** Normalised attributes other than the main one. */
  attributes: Record<string, string>
  /** -3..3, or null for a sighting (decisions 4). */
  reputation: number | null
  /** Trimmed, lower-cased, sorted, distinct. */
  tags: string[]
  links: Link[]
  /** Sorted groups that may read this observation; `['public']` when public is among them (decisions 2.3). */
  audience: string[]
  userId: string
  /** Who claims: a customer, a user without one, or a registered feed; never a key (decisions 4). */
  source: string
  sourceKind: SourceKind
  /** Weight of the source, 0 < trust <= 1; of a match 0, which a version that does not know the kind refuses. */
  trust: number
  kind: ObservationKind
  /** Unix milliseconds. */
  observedAt: number
  /** Whether a well-known mark also covers the entities under this one (ADR 270); false for other kinds. */
  covers: boolean
  /** Of a retraction; null for anything else. */
  retracted: Retracted | null
  /** Of a verdict; null for anything else. */
  verdict: VerdictTerms | null
  /**
   * Whether whoever made the record knew a covering mark over the entity: what a report or a verdict makes of a row has
   * the floor from the start (ADR 270). The record says it, so that a replay does what was done.
   */
  covered: boolean
}

/** One entity of a submission, as a caller or a broker producer states it (specification 2.2, 2.3). */
export type SubmittedEntity = {
  type: string
  attributes: Record<string, string | number | boolean>
  reputation?: number | null
  correlate?: string[]
  tags?: string[]
  visibleBy?: string[] | null
  /** Of a well-known mark: whether it covers the entities under this one; by default only a cidr does (ADR 270). */
  covers?: boolean
  associations?: SubmittedAssociation[]
}

export type SubmittedAssociation = {
  mode: LinkMode
  type: string
  attributes: Record<string, string | number | boolean>
  /** A STIX relationship type, such as `resolves-to`; absent or null: none is stated. */
  relationship?: string | null
  associations?: SubmittedAssociation[]
}

/** Where an observation comes from: what ingest knows about the submitter, beside the submission itself. */
export type Provenance = {
  userId: string
  source: string
  sourceKind: SourceKind
  trust: number
  kind: ObservationKind
  /** Sorted groups, already checked against the submitter's. */
  audience: string[]
  /** Unix milliseconds. */
  observedAt: number
}

/** A relation between two entities that are known already. */
export type SubmittedRelation = {
  entityID: string
  relatedEntityID: string
  /** Default: association. */
  mode?: LinkMode
  /** A STIX relationship type. */
  relationship?: string | null
  visibleBy?: string[] | null
}
