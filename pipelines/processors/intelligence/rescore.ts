import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { score } from '../../../schemas/intelligence/scoring/score.ts'
import type { EntityState, ScoredRow } from '../../../schemas/intelligence/state/entity-state.ts'
import { decide } from '../../../schemas/intelligence/state/verdict.ts'
import { scoreColumns } from './rows/score-columns.ts'

/** What a row is scored by these rules, as of the moment that it was scored at. */
export function scoreOf(row: Omit<ScoredRow, 'reputation' | 'accuracy'>, rules: ScoringRules) {
  const claimed = score(row.type, row.claims, row.scoredAt, rules)
  return { ...claimed, ...decide(claimed, row, row.verdict) }
}

/** The row with the score that these rules give it; its version stays, since no record was applied. */
export const rescoreRow = (row: EntityState, rules: ScoringRules): EntityState => ({
  ...row,
  ...scoreColumns(row.type, row.claims, row.scoredAt, row, rules),
})
