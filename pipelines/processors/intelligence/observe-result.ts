import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { RulesChange } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Retraction } from '../../../schemas/intelligence/state/stored.ts'
import type { Locate } from './rows/described.ts'

/** What a record changes: of an observation, a re-evaluation or a retraction. */
export type ObserveResult = {
  /** The rows that changed, to be stored in place of those of the same audience. */
  rows: EntityState[]
  /** Accuracy for the history record, or null when the observation is a repeat or no report and adds none. */
  kept: { accuracy: number } | null
  /** What stopped counting. */
  retraction?: Retraction
}

/** What records are applied by. */
export type ObserveRules = {
  /** Milliseconds of observation time in which the same content is a repeat (decisions 4, duplicates). */
  dedupeWindow: number
  locate: Locate
  /** How claims become a score; as the platform comes when left out. */
  scoring?: ScoringRules
  /** How those became the present ones, as far as it is still to be told; null and left out: it is not told (ADR 271). */
  rulesChange?: RulesChange | null
}
