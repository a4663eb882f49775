import type { FeedStore, FeedWrite } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import { boundary } from '../../processors/feeds-out/boundary.ts'
import { listSteps } from '../../processors/feeds-out/list-steps.ts'
import { type FeedStep, itemOf } from '../../processors/feeds-out/step.ts'
import { type LiveEntities, viewsNow } from '../../runtime/live-entities.ts'
import type { KnownFeed, KnownFeeds, ReaderFeeds } from './known-feeds.ts'
import type { FeedsOptions, KeptPorts } from './ports.ts'
import { publish, publishDue, publishedHead } from './publish-deltas.ts'
import { addStep, type ChangeBatch, type FeedSteps, isApplied, stepsOf, type TimedChange } from './steps-of-change.ts'

type ApplyContext = {
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
async function applySteps(known: KnownFeed, steps: readonly FeedStep[], context: ApplyContext): Promise<FeedWrite> {
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

async function rulesOf({ feed, epoch, inside }: FeedHead, steps: readonly FeedStep[], { store }: ApplyContext) {
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

/** What the turns of the job share. */
export type StepContext = {
  ports: KeptPorts
  options: Pick<FeedsOptions, 'now' | 'report'>
  feeds: KnownFeeds
  /** By partition of the observations, the offset below which every change was looked at. */
  applied: Record<number, number>
  newVersion: () => number
  newEpoch: () => number
}

/**
 * Without changes that were sent again after a crash: they stand behind later ones of their partition. To be asked before
 * the steps of several partitions are put into one order.
 * @param applied by partition of the observations, the offset below which every change was looked at; moved on
 */
export const notLookedAt = (batches: readonly ChangeBatch[], applied: Record<number, number>): ChangeBatch[] =>
  batches.map(({ records }) => ({
    records: records.filter(({ change: { partition, offset } }) => {
      if (offset < (applied[partition] ?? 0)) return false
      applied[partition] = offset + 1
      return true
    }),
  }))

/**
 * Brings all lists one batch on: looks at the changes, stores what they do, publishes it. When that fails, nothing was
 * looked at, and the same batches bring the lists on again.
 */
export async function stepFeeds(
  context: StepContext,
  batches: readonly ChangeBatch[],
  live: LiveEntities,
): Promise<void> {
  const applied = { ...context.applied }
  const { steps, wide } = stepsOf(notLookedAt(batches, applied), context.feeds, live.rules)
  for (const { reader, one } of wide) await addWideSteps(context, steps, reader, one, live)
  await storeSteps({ ...context, applied }, steps)
  Object.assign(context.applied, applied)
}

/** A change of an entity with more claims than a change carries: its view is that of now, and its members are asked. */
async function addWideSteps(
  { ports }: StepContext,
  steps: FeedSteps,
  { reads, feeds }: ReaderFeeds,
  { change, time }: TimedChange,
  { rows, rules }: LiveEntities,
): Promise<void> {
  const { entityId, observedAt: at } = change
  const after = (await viewsNow(rows, [entityId], reads, rules)).get(entityId)
  if (after === undefined) return
  for (const known of feeds) {
    if (isApplied(known, change)) continue
    const { feed, epoch } = known.head
    const member = (await ports.store.members(feed.id, epoch, [entityId])).get(entityId)
    const before = member === undefined || member.state === 'gone' ? null : member.item
    const inside = known.selector.holds(after, time)
    if (before === null && !inside) continue
    const leavesAt = inside ? known.selector.leavesAt(after) : null
    const reason = change.cause === 'tick' ? 'faded' : change.cause === 'retraction' ? 'retracted' : 'reported'
    addStep(steps, known, {
      entityId,
      before,
      after: inside ? itemOf(after) : null,
      reason,
      at,
      leavesAt,
      leftAt: null,
    })
  }
}

/** Stores and publishes what steps do; from then on the feeds are where they led. */
export async function storeSteps(context: StepContext, steps: FeedSteps): Promise<void> {
  if (steps.size === 0) return
  const { ports, options, newEpoch, applied } = context
  const now = options.now()
  const version = context.newVersion()
  const stepped = []
  for (const [known, those] of steps) {
    await publishDue(ports, known)
    const write = await applySteps(known, those, { store: ports.store, now, version, newEpoch, applied })
    stepped.push({ known, write })
  }
  await ports.store.write(
    stepped.map(({ write }) => write),
    BigInt(version),
  )
  // All feeds are where they were stored before one of them is told of it, as telling may fail.
  let deltas = 0
  for (const { known, write } of stepped) {
    const { held, feed, items, inside } = write.head
    if (held !== null && known.head.held === null)
      options.report({ kind: 'held', feed: feed.id, now: items, would: Math.min(inside, feed.cap ?? inside) })
    known.head = write.head
    known.recent.note(write.deltas, now)
    deltas += write.deltas.length
  }
  for (const { known, write } of stepped) {
    await publish(ports, write.head.feed.id, write.deltas)
    known.head = publishedHead(known.head)
  }
  options.report({ kind: 'stepped', feeds: stepped.length, deltas })
}
