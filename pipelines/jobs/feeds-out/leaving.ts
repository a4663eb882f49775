import { readerOf } from '../../../schemas/feeds-out/feed.ts'
import { type FeedStep, itemOf } from '../../processors/feeds-out/step.ts'
import { type LiveEntities, viewsNow } from '../../runtime/live-entities.ts'
import type { KnownFeed } from './known-feeds.ts'
import type { KeptPorts } from './ports.ts'

/** Members of one look. */
const AT_ONCE = 5_000
/** A longer list is looked at less often: each look reads a column of it (decisions 11.3). */
const LONG = 100_000
const EVERY_MS = { short: 1_000, long: 5_000 }

/** Steps of what leaves by time alone, and when to look again (unix milliseconds). */
export type Leaving = { steps: FeedStep[]; next: number }

/**
 * What of a list has left by time alone until now. The times of members may be of before a sighting that changed nothing
 * else (ADR 203), so the present views decide: what was seen since then stays, with its later time.
 */
export async function leavingOf(
  { head, selector }: KnownFeed,
  { store }: Pick<KeptPorts, 'store'>,
  { rows, rules }: LiveEntities,
  now: number,
): Promise<Leaving> {
  const of = { epoch: head.epoch, waiting: head.held?.epoch ?? null }
  const due = await store.leaving(head.feed.id, of, now, AT_ONCE)
  const next = due.length === AT_ONCE ? now : now + (head.items > LONG ? EVERY_MS.long : EVERY_MS.short)
  if (due.length === 0) return { steps: [], next }
  const ids = due.map(({ item }) => item.entityId)
  const views = await viewsNow(rows, ids, readerOf(head.feed.groups), rules)
  const steps = due.map(({ item, leavesAt }): FeedStep => {
    const view = views.get(item.entityId)
    const seen = view !== undefined && selector.holds(view, now) ? view : null
    return {
      entityId: item.entityId,
      before: item,
      after: seen === null ? null : itemOf(seen),
      reason: 'aged',
      at: leavesAt!,
      leavesAt: seen === null ? null : selector.leavesAt(seen),
      leftAt: null,
    }
  })
  return { steps, next }
}
