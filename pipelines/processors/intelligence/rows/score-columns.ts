import { halfLifeDays } from '../../../../schemas/intelligence/entities/half-life.ts'
import { nextChangeOf } from '../../../../schemas/intelligence/scoring/fading.ts'
import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { applyFloor, scoreOfWeights } from '../../../../schemas/intelligence/scoring/score.ts'
import { scoreOfOne } from '../../../../schemas/intelligence/scoring/single.ts'
import { weigh } from '../../../../schemas/intelligence/scoring/weights.ts'
import type { Claim, EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { decide, dueWith } from '../../../../schemas/intelligence/state/verdict.ts'

export type ScoreColumns = Pick<
  EntityState,
  'reputation' | 'accuracy' | 'best' | 'worst' | 'sources' | 'scoredAt' | 'due' | 'claims'
>

/** What decides beside the claims. */
export type DecidedBy = Pick<EntityState, 'wellKnown' | 'covered' | 'verdict'>

/** What of a row follows from its claims and from what decides beside them, as of `scoredAt` (unix milliseconds), at or after every one of them. */
export function scoreColumns(
  type: string,
  claims: readonly Claim[],
  scoredAt: number,
  row: DecidedBy,
  rules: ScoringRules = BUILT_IN,
): ScoreColumns {
  if (claims.length === 1 && rules.formula !== 2) {
    const { reputation, accuracy, best, worst, next } = scoreOfOne(
      claims[0]!,
      halfLifeDays(type, rules),
      scoredAt,
      rules,
    )
    const columns = { reputation, accuracy, best, worst, sources: 1, scoredAt, due: next ?? 0, claims }
    return shownColumns(columns, row)
  }
  const weights = weigh(type, claims, scoredAt, rules)
  const { reputation, accuracy, best, worst } = scoreOfWeights(weights)
  const columns = {
    reputation,
    accuracy,
    best,
    worst,
    sources: claims.length,
    scoredAt,
    // Of what is claimed, floored or not: under a floor the accuracy still fades.
    due: nextChangeOf(weights, reputation, halfLifeDays(type, rules), scoredAt) ?? 0,
    claims,
  }
  return shownColumns(columns, row)
}

/** The columns that claims give, with the floor of a mark and the verdict above them. */
export function shownColumns(columns: ScoreColumns, row: DecidedBy): ScoreColumns {
  const { wellKnown, covered, verdict } = row
  if (verdict === null) {
    columns.reputation = applyFloor(columns.reputation, wellKnown || covered)
    return columns
  }
  return { ...columns, ...decide(columns, row, verdict), due: dueWith(columns.due, verdict) }
}
