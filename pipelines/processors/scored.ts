import type { Claim, EntityState } from '../../schemas/entity-state.ts'
import { nextChange } from '../../schemas/fading.ts'
import type { ScoringRules } from '../../schemas/rules.ts'
import { floored, score } from '../../schemas/score.ts'

type Scored = Pick<
  EntityState,
  'reputation' | 'accuracy' | 'best' | 'worst' | 'sources' | 'scoredAt' | 'due' | 'claims'
>

/** What of a row follows from its claims, as of `scoredAt` (unix milliseconds), at or after every one of them. */
export function scored(
  type: string,
  claims: readonly Claim[],
  scoredAt: number,
  marks: Pick<EntityState, 'wellKnown' | 'covered'>,
  rules?: ScoringRules,
): Scored {
  const { reputation, accuracy, best, worst } = score(type, claims, scoredAt, rules)
  return {
    reputation: floored(reputation, marks.wellKnown || marks.covered),
    accuracy,
    best,
    worst,
    sources: claims.length,
    scoredAt,
    // Of what is claimed, floored or not: under a floor the accuracy still fades.
    due: nextChange(type, claims, scoredAt, rules) ?? 0,
    claims,
  }
}
