import { itemOf } from '../../processors/feeds-out/step.ts'
import { type LiveEntities, viewsNow } from '../../runtime/live-entities.ts'
import { applySteps } from './apply-steps.ts'
import type { KnownFeeds, ReaderFeeds } from './known-feeds.ts'
import type { FeedsOptions, KeptPorts } from './ports.ts'
import { publish, publishDue, publishedHead } from './publish.ts'
import { addStep, type ChangeBatch, type FeedSteps, isApplied, stepsOf, type TimedChange } from './steps-of-change.ts'

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
