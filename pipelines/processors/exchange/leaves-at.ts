import { nextChange } from '../../../schemas/intelligence/scoring/fading.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { score } from '../../../schemas/intelligence/scoring/score.ts'
import type { CompiledSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../schemas/intelligence/state/entity-view.ts'
import { decide, heldAt, latestVerdict } from '../../../schemas/intelligence/state/verdict.ts'

/** Changes of a score by time that are looked at: reputation and accuracy have three steps each, and verdicts end. */
const MOST_CHANGES = 16

/**
 * When the view of these rows leaves a selector if nobody speaks of the entity again (decisions-2 15.2): unix
 * milliseconds, after `now`; null: by time alone it never does, or it is not inside now.
 * @param rows those that the reader may read
 */
export function leavesAt(
  rows: readonly EntityState[],
  selector: CompiledSelector,
  rules: ScoringRules,
  now: number,
): number | null {
  const counted = rows.filter(({ retracted }) => !retracted)
  const [first] = counted
  if (first === undefined) return null
  const view = { ...fold(counted, rules), retracted: false }
  if (!selector.holds(view, now)) return null
  const aged = selector.leavesAt(view)
  const claims = counted.flatMap((row) => row.claims)
  const verdict = latestVerdict(counted)
  let at = Math.max(now, ...counted.map(({ scoredAt }) => scoredAt), ...counted.map(({ lastSeen }) => lastSeen))
  for (let i = 0; i < MOST_CHANGES; i++) {
    const fades = nextChange(first.type, claims, at, rules) ?? Number.POSITIVE_INFINITY
    const ends = verdict !== null && verdict.until > at ? verdict.until : Number.POSITIVE_INFINITY
    at = Math.min(fades, ends)
    if (at === Number.POSITIVE_INFINITY || (aged !== null && at >= aged)) return aged
    const shown = decide(score(first.type, claims, at, rules), view, heldAt(verdict, at))
    if (!selector.holdsAtAnyTime({ ...view, reputation: shown.reputation, accuracy: shown.accuracy })) return at
  }
  return aged
}
