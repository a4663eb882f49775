/**
 * The record that everything else is made of: one entity, one source, one moment (design section 3).
 * The shapes here are what the Avro schemas beside this file decode to.
 */

export type LinkMode = 'aggregation' | 'association'

/** An outgoing relation of the observed entity. */
export type Link = { mode: LinkMode; entityId: string }

export type SourceKind = 'customer' | 'user' | 'feed' | 'scan' | 'trusted'

export type ObservationKind = 'report' | 'well_known' | 'retraction' | 'tick'

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
  /** Weight of the source, 0 < trust <= 1. */
  trust: number
  kind: ObservationKind
  /** Unix milliseconds. */
  observedAt: number
}

/** One entity of a submission, as a caller or a broker producer states it (specification 2.2, 2.3). */
export type SubmittedEntity = {
  type: string
  attributes: Record<string, string | number | boolean>
  reputation?: number | null
  correlate?: string[]
  tags?: string[]
  visibleBy?: string[] | null
  associations?: SubmittedAssociation[]
}

export type SubmittedAssociation = {
  mode: LinkMode
  type: string
  attributes: Record<string, string | number | boolean>
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
