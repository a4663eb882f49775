/** Changes of a log in which other scoring rules came into force. */

import { rescoredRecord } from '../../../pipelines/processors/intelligence/rescored.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { RulesTimeline } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { positioned } from './changes.ts'
import { HOUR, NOW, observation } from './observation.ts'
import { replayedUnder } from './replay-rules.ts'

/** The only partition of `positioned`. */
const PARTITION = 3

/** Rules from the first record on, and others from the record `at` on. */
export const promotedAt = (before: ScoringRules, after: ScoringRules, at: number): RulesTimeline => [
  { rules: before, from: new Map([[PARTITION, 0]]) },
  { rules: after, from: new Map([[PARTITION, at]]) },
]

/** What the command sends after a promotion for the entity of `given`; the built observation without. */
export const rescored = (given: Partial<Observation> = {}): Observation =>
  rescoredRecord(observation(given), { database: 'harrier_g1', at: NOW })

/** What is told of these records, the ones after the first `before.length` under other rules. */
export function changesUnder(
  [before, old]: readonly [readonly Partial<Observation>[], ScoringRules],
  [after, rules]: readonly [readonly Partial<Observation>[], ScoringRules],
): Change[] {
  const observe = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
  return replayedUnder(positioned([...before, ...after]), promotedAt(old, rules, before.length), observe).changes
}
