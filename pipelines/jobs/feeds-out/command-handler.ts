import type { FeedCommand } from '../../../schemas/feeds-out/command.ts'
import type { Feed } from '../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { KnownFeed } from './known-feeds.ts'
import { type MakingContext, putList } from './list-maker.ts'
import { releaseList } from './make-list.ts'

type CommandContext = MakingContext & { make: (known: KnownFeed, reason: 'selector') => void }

/** Does what the owner of a feed asked for (decisions 11.1, 11.4); again, it changes nothing. */
export async function handleCommand(context: CommandContext, command: FeedCommand): Promise<void> {
  const { ports, feeds } = context
  switch (command.kind) {
    case 'put':
      return put(context, command.feed)
    case 'delete':
      feeds.remove(command.id)
      return ports.store.remove(command.id)
    case 'hold': {
      const known = feeds.get(command.id)
      if (known === undefined || known.head.held !== null || known.head.epoch === 0) return
      const held = { by: 'owner' as const, at: command.at, epoch: context.newEpoch() }
      return storeHead(context, known, { ...known.head, held, gone: 0 })
    }
    case 'release': {
      const known = feeds.get(command.id)
      if (known !== undefined && known.head.held !== null) await release(context, known, known.head.feed)
    }
  }
}

async function put(context: CommandContext, feed: Feed): Promise<void> {
  const { feeds, options, make } = context
  const known = feeds.get(feed.id)
  if (known === undefined) {
    const added = feeds.add(newHead(feed, options.now()))
    await storeHead(context, added, added.head)
    return make(added, 'selector')
  }
  const { head } = known
  const latest = head.wanted ?? head.feed
  if (latest.revision >= feed.revision) return
  // A list of before that is still being made is made of what is wanted now.
  if (head.epoch === 0 || head.wanted !== null) return storeHead(context, known, { ...head, wanted: feed })
  // Both are in normal form, whose parts have one order.
  if (JSON.stringify(feed.selector) !== JSON.stringify(head.feed.selector)) {
    await storeHead(context, known, { ...head, wanted: feed })
    return make(known, 'selector')
  }
  if (head.held !== null || feed.cap !== head.feed.cap) return release(context, known, feed)
  return storeHead(context, known, { ...head, feed })
}

const newHead = (feed: Feed, now: number): FeedHead => ({
  feed,
  wanted: null,
  generation: '',
  epoch: 0,
  sequence: 0,
  published: 0,
  items: 0,
  inside: 0,
  gone: 0,
  held: null,
  applied: {},
  at: now,
  version: 0,
})

async function storeHead({ ports, newVersion }: CommandContext, known: KnownFeed, head: FeedHead): Promise<void> {
  const version = newVersion()
  const stored = { ...head, published: known.head.published, version }
  await ports.store.write([{ head: stored, members: [], deltas: [] }], BigInt(version))
  known.head = stored
}

/** Lets through what waits, and lists by the cap of this feed. */
async function release(context: CommandContext, known: KnownFeed, feed: Feed): Promise<void> {
  const { ports, options, newEpoch, newVersion, applied } = context
  const made = { feed, old: known.head, epoch: newEpoch(), at: options.now(), version: newVersion() }
  await putList(context, known, { ...(await releaseList(ports.store, made)), applied: { ...applied } })
}
