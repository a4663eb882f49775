import { foldRulesOf } from '../../../../schemas/intelligence/scoring/fold-rules.ts'
import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { isUntouched, type RulesChange } from '../../../../schemas/intelligence/scoring/rules-timeline.ts'
import type { FoldedBy, ShownScore } from '../../../../schemas/intelligence/state/change.ts'
import type { Claim, EntityState, EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import { scoreColumns } from './score-columns.ts'

/** By audience, what rows showed under the rules of before, as long as no record touched them since (ADR 271). */
export type FormerScores = ReadonlyMap<bigint, ShownScore>

const NONE: FormerScores = new Map()

/** What readers of these rows were told last, where that was under the rules of before. `change`: null: nowhere. */
export function formerScores(rows: EntityStates, change: RulesChange | null): FormerScores {
  const untouched = change === null ? [] : rows.filter((row) => isUntouched(row, change))
  if (change === null || untouched.length === 0) return NONE
  return new Map(
    untouched.map((row) => {
      const { reputation, accuracy } = scoreColumns(row.type, row.claims, row.scoredAt, row, change.before)
      return [row.audience, { reputation, accuracy }]
    }),
  )
}

/** Whether readers of this row know another score than it has now, by the rules of before. */
export function isRescored(former: FormerScores, { audience, reputation, accuracy }: EntityState): boolean {
  const known = former.get(audience)
  return known !== undefined && (known.reputation !== reputation || known.accuracy !== accuracy)
}

/** By which rules readers of several of these rows fold them, all of one entity. `change`: null: as before it too. */
export const foldedBy = (rows: EntityStates, scoring: ScoringRules, change: RulesChange | null): FoldedBy => {
  const { type } = rows[0]!
  return {
    after: foldRulesOf(type, claimsOf(rows), scoring),
    before: change === null ? null : foldRulesOf(type, claimsOf(rows), change.before),
  }
}

function* claimsOf(rows: EntityStates): Generator<Claim> {
  for (const { claims } of rows) yield* claims
}
