import { applyFloor } from '../scoring/score.ts'
import type { EntityState, HeldVerdict } from './entity-state.ts'

/** The accuracy of what a customer decided (decisions 17.1). */
export const DECIDED_ACCURACY = 3

type Marks = Pick<EntityState, 'wellKnown' | 'covered'>
type Score = Pick<EntityState, 'reputation' | 'accuracy'>

/** What is shown of a score that claims give: the verdict in its place, and a mark above both (decisions 3.6). */
export function decide(
  { reputation, accuracy }: Score,
  { wellKnown, covered }: Marks,
  verdict: HeldVerdict | null,
): Score {
  const marked = wellKnown || covered
  return verdict === null
    ? { reputation: applyFloor(reputation, marked), accuracy }
    : { reputation: applyFloor(verdict.reputation, marked), accuracy: DECIDED_ACCURACY }
}

/** The verdict, while it holds at a moment (unix milliseconds). */
export const heldAt = (verdict: HeldVerdict | null, at: number): HeldVerdict | null =>
  verdict === null || verdict.until === 0 || verdict.until > at ? verdict : null

/** Of several that a reader reads the latest; of those of one moment the worse. */
export function latestVerdict(rows: readonly Pick<EntityState, 'verdict'>[]): HeldVerdict | null {
  let latest: HeldVerdict | null = null
  for (const { verdict } of rows)
    if (verdict !== null && (latest === null || isLater(verdict, latest))) latest = verdict
  return latest
}

const isLater = (a: HeldVerdict, b: HeldVerdict): boolean =>
  a.at > b.at || (a.at === b.at && a.reputation < b.reputation)

/** When a row is due: for its claims (unix milliseconds, 0: never), or for the end of its verdict, whichever is first. */
export function dueWith(due: number, verdict: HeldVerdict | null): number {
  if (verdict === null || verdict.until === 0) return due
  return due === 0 ? verdict.until : Math.min(due, verdict.until)
}
