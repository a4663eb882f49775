import type { FeedStore, FeedWrite } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import { boundary } from '../../processors/feeds-out/boundary.ts'
import { listSteps } from '../../processors/feeds-out/list-steps.ts'
import type { FeedStep } from '../../processors/feeds-out/step.ts'
import type { KnownFeed } from './known-feeds.ts'

export type StepContext = {
  store: Pick<FeedStore, 'members' | 'edge'>
  /** Unix milliseconds. */
  now: number
  version: number
  /** An epoch that no feed had before. */
  newEpoch: () => number
  /** By partition of the observations, up to where changes were looked at with these steps. */
  applied: Readonly<Record<number, number>>
}

/**
 * What the steps of a feed are to be stored as: as deltas of its list, or, while it is held, as what waits. A batch that
 * is more than its guard lets through is held as a whole (decisions 11.4).
 */
export async function applySteps(
  known: KnownFeed,
  steps: readonly FeedStep[],
  context: StepContext,
): Promise<FeedWrite> {
  const { now, version, applied } = context
  const head: FeedHead = { ...known.head, applied: { ...applied }, version }
  if (head.held !== null) return waiting(head, steps)
  const { feed, items } = head
  const size = { sequence: head.sequence, items, inside: head.inside }
  const listed = listSteps(size, steps, await rulesOf(known.head, steps, context))
  if (feed.guard !== null && known.recent.exceeds(feed.guard, items, listed.deltas, now))
    return waiting({ ...head, held: { by: 'guard', at: now, epoch: context.newEpoch() }, gone: 0 }, steps)
  const { sequence, inside, deltas } = listed
  const at = deltas.length > 0 ? now : head.at
  const members = [...listed.members.values()]
  const gone = goneAfter(head, members)
  return { head: { ...head, sequence, inside, items: listed.items, gone, at }, deltas, members }
}

/** Each departure leaves at most one row more. */
const goneAfter = ({ gone = 0 }: FeedHead, members: readonly FeedMember[]): number =>
  gone + members.filter(({ state }) => state === 'gone').length

async function rulesOf({ feed, epoch, inside }: FeedHead, steps: readonly FeedStep[], { store }: StepContext) {
  const { id, cap } = feed
  const arriving = steps.reduce((n, { after }) => n + (after === null ? 0 : 1), 0)
  const ends = cap !== null && inside + arriving > cap
  const asked = ends ? steps : steps.filter(({ leftAt }) => leftAt !== null)
  const stored =
    asked.length === 0
      ? new Map<string, FeedMember>()
      : await store.members(id, epoch, [...new Set(asked.map(({ entityId }) => entityId))])
  if (!ends) return { cap, known: (entityId: string) => stored.get(entityId), edge: null }
  const { listed, left } = await store.edge(id, epoch, 2 * steps.length + 2)
  return { cap, known: (entityId: string) => stored.get(entityId), edge: boundary(listed, left) }
}

/** Each entity as its last step leaves it. */
function waiting(head: FeedHead, steps: readonly FeedStep[]): FeedWrite {
  const members = new Map<string, FeedMember>()
  let { inside } = head
  for (const { entityId, before, after, reason, at, leavesAt } of steps) {
    inside += (after === null ? 0 : 1) - (before === null ? 0 : 1)
    const item = (after ?? before)!
    members.set(entityId, { item, state: after === null ? 'gone' : 'listed', leavesAt, reason, at })
  }
  const moved = [...members.values()]
  return { head: { ...head, inside, gone: goneAfter(head, moved) }, members: moved, deltas: [] }
}
