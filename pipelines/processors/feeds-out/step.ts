import type { DeltaReason } from '../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { CompiledSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import type { ChangedView } from '../../../schemas/intelligence/state/changed-view.ts'
import type { ViewChange } from '../../../schemas/intelligence/state/view-change.ts'

/** What one record of the log, or the passing of time, does to what one feed selects. Times are unix milliseconds. */
export type FeedStep = {
  entityId: string
  /** What was selected before, as it was shown; null: nothing. */
  before: FeedItem | null
  after: FeedItem | null
  reason: DeltaReason
  at: number
  /** When the time alone takes it out (`seenWithin`). */
  leavesAt: number | null
  /** `before` had left by time alone at this moment, whether or not that was told yet; null: it had not. */
  leftAt: number | null
}

/** The fields that a feed shows. */
export const itemOf = ({
  entityId,
  type,
  value,
  reputation,
  accuracy,
  tags,
  firstSeen,
  lastSeen,
}: ChangedView): FeedItem => ({
  entityId,
  type,
  value,
  reputation,
  accuracy,
  tags,
  firstSeen,
  lastSeen,
})

/**
 * What the change of a view is to a feed; null: nothing. It follows from the views alone: what was selected before is what
 * the selector says of the view before (decisions 10.3), so no membership is read.
 * @param time of the record in the log: the moment at which the selector decides
 * @param at of the observation behind it: what is told
 */
export function stepOf(selector: CompiledSelector, change: ViewChange, time: number, at: number): FeedStep | null {
  const { before, after, reason } = change
  const was = before !== null && selector.holdsAtAnyTime(before) ? before : null
  const holds = selector.holdsAtAnyTime(after)
  if (was === null && !holds) return null
  const leaves = selector.leavesAt(after)
  const inside = holds && (leaves === null || time < leaves)
  const left = was === null ? null : selector.leavesAt(was)
  const leftAt = left !== null && left <= time ? left : null
  if (was === null && !inside) return null
  return {
    entityId: after.entityId,
    before: was === null ? null : itemOf(was),
    after: inside ? itemOf(after) : null,
    reason: holds && !inside ? 'aged' : reason,
    at,
    leavesAt: inside ? leaves : null,
    leftAt,
  }
}
