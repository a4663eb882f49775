import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import { type FeedHead, stateOf } from '../../../schemas/feeds-out/head.ts'
import type { History, Query } from '../port.ts'
import { deltaOfRow, type FeedDeltaRow } from '../sql/feeds-out/columns-sql.ts'
import { listWithDetails } from '../sql/feeds-out/list-details.ts'
import { deltasOf, fileOfList, listOf } from '../sql/feeds-out/lists.ts'
import { headById } from './heads.ts'
import { begun } from './list-rows.ts'
import { type FeedLists, ListReplaced, type ReadList } from './port.ts'
import { viewReader } from './view-reader.ts'

/** A list that is made anew while it is asked for is looked for again so often. */
const ATTEMPTS = 5

const placeOf = ({ epoch, sequence, items }: FeedHead) => ({ epoch, sequence, items })

type Home = Pick<History, 'query' | 'stream'>

/** The tables of the entities that are live now, and the database that they are in. */
export type LiveTables = Pick<History, 'query'> & { database(): Promise<string> }

/** The list of a feed; null: there is none yet, or no such feed. */
async function headOf(home: Home, feed: string): Promise<FeedHead | null> {
  const head = await headById(home, feed)
  return head === null || stateOf(head) === 'building' ? null : head
}

/**
 * As `FeedLists.read`.
 * @param statement what reads the list of a head: `listOf`, or that with more columns
 */
export async function readList(
  home: Home,
  feed: string,
  statement: (head: FeedHead) => Query | Promise<Query> = ({ epoch }) => listOf(feed, epoch),
): Promise<ReadList | null> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const known = await headOf(home, feed)
    if (known === null) return null
    const answer = await begun(await home.stream(await statement(known), 'JSONCompactEachRow'))
    // The epoch was removed meanwhile: its feed has a newer one, or is gone.
    if (answer === null) continue
    const { selector } = answer.head.feed
    return { ...placeOf(answer.head), mayHoldWellKnown: selector.wellKnown !== false, rows: answer.rows }
  }
  throw new Error(`the list of the feed ${feed} was rebuilt ${ATTEMPTS} times while it was read`)
}

/**
 * The lists of feeds as their readers are given them.
 * @param home the database that belongs to no generation
 */
export function feedLists(home: Home, live: LiveTables): FeedLists {
  return {
    async place(feed) {
      const head = await headOf(home, feed)
      return head && { ...placeOf(head), held: head.held !== null }
    },

    read: (feed) => readList(home, feed),

    readWithMore: (feed) =>
      readList(home, feed, async ({ feed: { groups }, epoch }) => {
        const { audiences } = await viewReader(live, groups)
        return listWithDetails({ live: await live.database(), feed, epoch }, audiences)
      }),

    async parquet(feed) {
      const head = await headOf(home, feed)
      if (head === null) return null
      const bytes = await home.stream(fileOfList(feed, head.epoch), 'Parquet')
      return { ...placeOf(head), bytes: untilReplaced(bytes, head.epoch, () => headOf(home, feed)) }
    },

    async deltas(feed, after, limit) {
      const head = await headOf(home, feed)
      if (head === null) return null
      const { sequence: now } = head
      const deltas: FeedDelta[] =
        after >= now ? [] : (await home.query<FeedDeltaRow>(deltasOf(feed, after, now, limit))).map(deltaOfRow)
      return { deltas, now, complete: after === now || deltas[0]?.sequence === after + 1 }
    },
  }
}

/**
 * A file that the store wrote of an epoch. An epoch is removed after the head names another one, and what is left of it
 * is a file too: a shorter one.
 * @throws ListReplaced
 */
async function* untilReplaced(
  bytes: AsyncIterable<Uint8Array>,
  epoch: number,
  headNow: () => Promise<FeedHead | null>,
): AsyncGenerator<Uint8Array> {
  yield* bytes
  if ((await headNow())?.epoch !== epoch) throw new ListReplaced()
}
