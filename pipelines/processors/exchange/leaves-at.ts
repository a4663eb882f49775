import { nextChange } from '../../../schemas/intelligence/scoring/fading.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { score } from '../../../schemas/intelligence/scoring/score.ts'
import type { CompiledSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import type { SelectorView } from '../../../schemas/intelligence/selectors/selector.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { fold, isRetracted } from '../../../schemas/intelligence/state/entity-view.ts'
import { decide, heldAt, latestVerdict } from '../../../schemas/intelligence/state/verdict.ts'

/** Changes by time that are looked at: reputation, accuracy, best and worst have some steps each, and verdicts end. */
const MOST_CHANGES = 64

/** When a view leaves a selector by time alone, and when it was last seen: unix milliseconds. `until` 0: never. */
export type Stay = { until: number; lastSeen: number }

/**
 * How long the view of these rows stays in a selector if nobody speaks of the entity again (decisions 15.2): until the first
 * moment at which the selector does not hold. `until` is `now` where that has come and no row says so yet.
 * @param rows those that the reader may read
 * @returns null: it is not inside now
 */
export function leavesAt(
  rows: readonly EntityState[],
  selector: CompiledSelector,
  rules: ScoringRules,
  now: number,
): Stay | null {
  if (rows.length === 0 || isRetracted(rows)) return null
  const view = { ...fold(rows, rules), retracted: false }
  if (!selector.holds(view, now)) return null
  const until = Math.min(
    scoredOut(rows, view, selector, rules, now) ?? Number.POSITIVE_INFINITY,
    selector.leavesAt(view) ?? Number.POSITIVE_INFINITY,
  )
  return { until: until === Number.POSITIVE_INFINITY ? 0 : until, lastSeen: view.lastSeen }
}

/** The first moment at which what claims and verdicts make of the view is not chosen; null: never. */
function scoredOut(
  rows: readonly EntityState[],
  view: SelectorView,
  selector: CompiledSelector,
  rules: ScoringRules,
  now: number,
): number | null {
  const counted = rows.filter(({ retracted }) => !retracted)
  const claims = counted.flatMap((row) => row.claims)
  const verdicts = counted.flatMap(({ verdict }) => verdict ?? [])
  let at = Math.max(now, ...counted.map(({ scoredAt }) => scoredAt), ...claims.map((claim) => claim.at))
  for (let i = 0; i < MOST_CHANGES; i++) {
    // When the latest verdict ends, one before it may still hold.
    const held = latestVerdict(verdicts.map((verdict) => ({ verdict: heldAt(verdict, at) })))
    const { reputation, accuracy } = decide(score(view.type, claims, at, rules), view, held)
    if (!selector.holdsAtAnyTime({ ...view, reputation, accuracy })) return at
    const ends = verdicts.map(({ until }) => until).filter((until) => until > at)
    at = Math.min(nextChange(view.type, claims, at, rules) ?? Number.POSITIVE_INFINITY, ...ends)
    if (at === Number.POSITIVE_INFINITY) return null
  }
  return null
}
