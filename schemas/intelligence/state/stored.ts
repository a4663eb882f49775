import type { Observation } from '../observations/observation.ts'
import type { Dim } from './counters.ts'

/** What the observation job adds to the history store, beside the rows of `entities`. */

/** A valid observation and where it stood in the log. */
export type Positioned = {
  observation: Observation
  partition: number
  offset: number
  audience: bigint
  /** When the log took it, unix milliseconds; default: when it was observed. */
  loggedAt?: number
}

/** An observation that is kept: no repeat of what its source said before. */
export type HistoryRecord = Positioned & {
  /** What the claims of the same audience gave with it (decisions 4). */
  accuracy: number
  /** Whether the entity was well known once it was applied. */
  wellKnown: boolean
}

/** A relation as one observation states it, which stands at this offset of the partition of `entityId`. */
export type Edge = {
  entityId: string
  relatedId: string
  mode: string
  /** Its relationship type; null: stated without one. */
  relationship: string | null
  audience: bigint
  seenAt: number
  offset: number
}

/**
 * Stands for the source in the record that a well-known mark was cleared: no source has an empty name. It holds for the
 * marks of the entity up to its offset, in every audience (ADR 270).
 */
export const MARK_SOURCE = ''

/** A retraction that changed a row: what history says of the source in the window stopped counting then (ADR 270). */
export type Retraction = {
  entityId: string
  audience: bigint
  source: string
  /** Unix milliseconds, both included. */
  from: number
  to: number
  /** When it was retracted, unix milliseconds; what came later in the log than `offset` is not. */
  at: number
  offset: number
  /** What the claim weighed that was taken back: no history record says it. */
  trust: number
}

export type CountDelta = { audience: bigint; dim: Dim; malicious: boolean; key: string; n: number }
