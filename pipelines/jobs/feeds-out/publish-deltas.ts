import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { FEED_DELTAS } from '../../../schemas/log/topics.ts'
import type { FeedsPorts } from './ports.ts'

const PAGE = 10_000

type PublishPorts = Pick<FeedsPorts, 'log' | 'encode'> & { store: Pick<FeedsPorts['store'], 'deltas'> }

/** Appends deltas that are stored: a consumer knows one that it was sent before by its sequence. */
export async function publish(
  { log, encode }: Pick<FeedsPorts, 'log' | 'encode'>,
  feed: string,
  deltas: readonly FeedDelta[],
): Promise<void> {
  const messages = deltas.map((delta) => ({ key: feed, value: encode(feed, delta) }))
  if (messages.length > 0) await log.send([{ topic: FEED_DELTAS, messages }])
}

/**
 * The same of what a list has stored and is not known to be published, page by page: nothing of it may come later than
 * what follows it.
 */
async function publishStored(ports: PublishPorts, { feed, published, sequence }: FeedHead): Promise<void> {
  for (let after = published; after < sequence; ) {
    const page = await ports.store.deltas(feed.id, after, sequence, PAGE)
    if (page.length === 0) throw new Error(`the deltas of the feed ${feed.id} after ${after} are not stored`)
    await publish(ports, feed.id, page)
    after = page.at(-1)!.sequence
  }
}

/** The same of a feed that the job knows, which then knows that it was published. */
export async function publishDue(ports: PublishPorts, known: { head: FeedHead }): Promise<void> {
  if (known.head.published === known.head.sequence) return
  await publishStored(ports, known.head)
  known.head = publishedHead(known.head)
}

/** A head all of whose deltas are on the log. */
export const publishedHead = (head: FeedHead): FeedHead => ({ ...head, published: head.sequence })
