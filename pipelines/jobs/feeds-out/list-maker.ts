import type { DeltaReason } from '../../../schemas/feeds-out/delta.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import type { ChangePositions } from '../../runtime/changes/change-positions.ts'
import { viewsNow } from '../../runtime/live-entities.ts'
import type { Mutex } from '../../runtime/mutex.ts'
import { forgetOld } from './forget-left-overs.ts'
import type { KnownFeed } from './known-feeds.ts'
import { catchUpList, type FilledList, turnList } from './make-list.ts'
import type { FeedsOptions, KeptPorts } from './ports.ts'
import { publishDue } from './publish-deltas.ts'
import type { StepContext } from './step-feeds.ts'

const AGAIN_MS = 1_000

export type MakingContext = StepContext & {
  ports: KeptPorts
  options: FeedsOptions
  positions: ChangePositions
  turns: Mutex
  decode: (bytes: Buffer) => Change | null
}

/**
 * Makes lists anew, one after another and beside the steps of all others: when a feed is made, when its owner wants
 * another one, when the tables of the entities are others (ADR 274).
 */
export function listMaker(context: MakingContext) {
  const { ports, options, feeds, positions } = context
  const { signal } = options
  let last: Promise<unknown> = Promise.resolve()

  const isCurrent = (known: KnownFeed): boolean => feeds.get(known.head.feed.id) === known && !signal.aborted

  /** Fills an epoch beside the list: whatever changes meanwhile is looked at again. */
  async function fill(known: KnownFeed, reason: DeltaReason): Promise<FilledList> {
    await positions.caughtUp()
    const from = positions.now()
    await positions.stored(from)
    const { generation, rules } = await ports.live()
    const feed = known.head.wanted ?? known.head.feed
    const epoch = context.newEpoch()
    known.filling = epoch
    const list = { feed: feed.id, epoch, cap: feed.cap, reason, at: options.now() }
    const { groups, selector } = feed
    await ports.store.fill(list, { database: generation, rules, groups, selector }, BigInt(context.newVersion()))
    await positions.caughtUp()
    return { list, feed, rules, generation, from }
  }

  async function* changesSince(from: readonly number[]): AsyncGenerator<Change[]> {
    for (const [partition, to] of positions.now().entries())
      for await (const messages of ports.log.scan(CHANGES, partition, from[partition] ?? 0, to))
        yield messages.flatMap(({ value }) => (value === null ? [] : (context.decode(value) ?? [])))
  }

  /** In a turn of its own: no step moves the list meanwhile. False: its owner wants another one by now. */
  async function turn(known: KnownFeed, filled: FilledList): Promise<boolean> {
    const { feed } = filled
    if (!isCurrent(known)) return true
    if ((known.head.wanted ?? known.head.feed).revision !== feed.revision) return false
    // A list that was put there meanwhile, as when one that was held is let through, removed what was filled before.
    if (known.head.epoch > filled.list.epoch) return false
    const began = options.now()
    const { rows } = await ports.live()
    await catchUpList(filled, changesSince(filled.from), {
      store: ports.store,
      viewsNow: (ids, reads, by) => viewsNow(rows, ids, reads, by),
      now: began,
      version: BigInt(context.newVersion()),
    })
    const old = known.head
    const head = {
      ...(await turnList(ports.store, filled, old, context.newVersion())),
      applied: { ...context.applied },
    }
    await putList(context, known, head)
    const took = options.now() - began
    options.report({ kind: 'made', feed: feed.id, items: head.items, deltas: head.sequence - old.sequence, took })
    return true
  }

  async function make(known: KnownFeed, reason: DeltaReason): Promise<void> {
    while (isCurrent(known)) {
      try {
        const filled = await fill(known, reason)
        if (await context.turns.take(() => turn(known, filled))) return
      } catch (error) {
        if (signal.aborted) return
        options.onFailure('cannot make the list of a feed; retrying', error)
        await options.pause(AGAIN_MS, signal)
      }
    }
  }

  /** A feed that was deleted meanwhile: what was filled since then is nobody's. */
  async function clear({ head, deleted }: KnownFeed): Promise<void> {
    if (deleted && !signal.aborted) await ports.store.remove(head.feed.id)
  }

  return {
    make(known: KnownFeed, reason: DeltaReason): void {
      last = last
        .then(() => make(known, reason))
        .then(() => clear(known))
        .catch((error: unknown) => options.onFailure('cannot remove the remains of a deleted feed', error))
        .finally(() => {
          known.filling = null
        })
    },
    /** Resolves once nothing is being made. */
    idle: async (): Promise<void> => void (await last),
  }
}

/** Stores a head whose epoch is finished: from then on that is the list, and what was before it is removed. */
export async function putList(
  context: Pick<MakingContext, 'ports' | 'options' | 'feeds' | 'newEpoch'>,
  known: KnownFeed,
  head: FeedHead,
): Promise<void> {
  const { ports, feeds } = context
  await ports.store.write([{ head, members: [], deltas: [] }], BigInt(head.version))
  feeds.replace(known, head)
  await publishDue(ports, known)
  await forgetOld(context, known)
}
