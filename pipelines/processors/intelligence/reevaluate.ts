import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { heldAt } from '../../../schemas/intelligence/state/verdict.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import type { ObserveResult } from './observe-result.ts'
import { asItCounts } from './rows/described.ts'
import { scoreColumns } from './rows/score-columns.ts'
import { systemRecord } from './system-record.ts'

/**
 * Decay re-evaluation: rows that are due are scored as of the `tick`, without a verdict that ended by then. Other rows stay unchanged: their score is the
 * same, and a row must not reveal a record of another row that its readers may not see. null when no row is due, as
 * for a second record.
 */
export function reevaluate(
  states: EntityStates,
  o: Observation,
  offset: number,
  rules?: ScoringRules,
): ObserveResult | null {
  const rows = states
    .filter((row) => row.version <= offset && row.due !== 0 && row.due <= o.observedAt)
    .map((row) => {
      const verdict = heldAt(row.verdict, o.observedAt)
      const scoredAt = Math.max(row.scoredAt, o.observedAt)
      const columns = scoreColumns(row.type, row.claims, scoredAt, { ...row, verdict }, rules)
      return asItCounts({ ...row, ...columns, verdict, version: offset + 1 })
    })
  return rows.length === 0 ? null : { rows, kept: null }
}

/** The record of a re-evaluation of an entity at `now` (unix milliseconds); equal for equal moments. */
export const reevaluationRecord = (
  entity: { entityId: string; type: string; value: string },
  now: number,
): Observation =>
  systemRecord(entity, {
    id: namedUuid(`tick/${now}/${entity.entityId}`),
    submissionId: namedUuid(`tick/${now}`),
    source: 'tick',
    kind: 'tick',
    observedAt: now,
  })
