import type { Change, ChangedRow } from '../../../schemas/intelligence/state/change.ts'
import type { ChangedView } from '../../../schemas/intelligence/state/changed-view.ts'
import { type ViewChange, wideReason } from '../../../schemas/intelligence/state/view-change.ts'
import type { Reader } from './watched.ts'

/** Entities whose views are remembered. */
const MAX_ENTITIES = 2_000

/**
 * Views of entities whose changes carry no claims (ADR 271): what a class of readers was shown after the last such change
 * is what it is shown before the next one. What is taken is remembered once it is kept.
 */
export function wideMemory() {
  const views = new Map<string, Map<string, ChangedView>>()
  /** Since the last `keep`. */
  const taken = new Map<string, Map<string, ChangedView>>()

  const remembered = (entityId: string, { key }: Reader): ChangedView | undefined =>
    taken.get(entityId)?.get(key) ?? views.get(entityId)?.get(key)

  return {
    /** What a change is to a reader who is shown `after` now. */
    take(change: Change, reader: Reader, after: ChangedView): Pick<ViewChange, 'before' | 'after' | 'reason'> {
      const { entityId } = change
      const before = remembered(entityId, reader) ?? viewBefore(change, reader, after)
      taken.set(entityId, (taken.get(entityId) ?? new Map()).set(reader.key, after))
      return { before, after, reason: wideReason(change, reader.reads) }
    },
    /** The entity has changes that carry everything again. */
    forget(entityId: string): void {
      if (views.size > 0) views.delete(entityId)
      if (taken.size > 0) taken.delete(entityId)
    },
    /** What was decided by these views is stored. */
    keep(): void {
      for (const [entityId, those] of taken) {
        const known = views.get(entityId) ?? new Map<string, ChangedView>()
        for (const [key, view] of those) known.set(key, view)
        // The one that was looked at longest ago goes first.
        views.delete(entityId)
        if (views.size >= MAX_ENTITIES) views.delete(views.keys().next().value!)
        views.set(entityId, known)
      }
      taken.clear()
    },
    /** It is not, and will be decided again. */
    drop: (): void => taken.clear(),
  }
}

export type WideMemory = ReturnType<typeof wideMemory>

const shownBefore = (row: ChangedRow) => row.before ?? row.after

/**
 * What the rows alone say of a view before: all but its score, which no row has. So many reports are seldom moved by one
 * more, so the score was as it is, unless the row of the record has another one now, or other scoring rules gave a row
 * another one (ADR 271).
 */
function viewBefore({ rows }: Change, { reads }: Reader, after: ChangedView): ChangedView | null {
  const known = rows.filter(({ audience, step }) => step !== 'created' && reads(audience))
  if (known.length === 0) return null
  const counting = known.map(shownBefore).filter(({ retracted }) => !retracted)
  const untold = known.every(({ was }) => was !== null)
  const scores = known.map((row) => ({ was: (untold ? row.was : row.before)?.reputation, is: row.after.reputation }))
  const moved = scores.find(({ was, is }) => was !== undefined && was !== is)
  return {
    ...after,
    reputation: moved?.was ?? after.reputation,
    wellKnown: counting.some(({ wellKnown }) => wellKnown),
    covered: counting.some(({ covered }) => covered),
    retracted: counting.length === 0,
    tags: [...new Set(counting.flatMap(({ tags }) => tags))],
  }
}
