import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Retraction } from '../../../schemas/intelligence/state/stored.ts'

/** What a record changes: of an observation, a re-evaluation or a retraction. */
export type ObserveResult = {
  /** The rows that changed, to be stored in place of those of the same audience. */
  rows: EntityState[]
  /** Accuracy for the history record, or null when the observation is a repeat or no report and adds none. */
  kept: { accuracy: number } | null
  /** What stopped counting. */
  retraction?: Retraction
}
