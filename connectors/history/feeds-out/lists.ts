import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { type FeedHead, stateOf } from '../../../schemas/feeds-out/head.ts'
import type { History } from '../port.ts'
import { deltasOf, fileOfList, type ListRow, listOf } from '../sql/feeds-out/lists.ts'
import { deltaOfRow, type FeedDeltaRow } from './deltas.ts'
import { headById } from './heads.ts'
import { jsonLines } from './json-lines.ts'
import { type FeedLists, ListReplaced } from './port.ts'

/** A list that is made anew while it is asked for is looked for again so often. */
const ATTEMPTS = 5

const placeOf = ({ epoch, sequence, items }: FeedHead) => ({ epoch, sequence, items })

/**
 * The lists of feeds as their readers are given them.
 * @param home the database that belongs to no generation
 */
export function feedLists(home: Pick<History, 'query' | 'stream'>): FeedLists {
  async function headOf(feed: string): Promise<FeedHead | null> {
    const head = await headById(home, feed)
    return head === null || stateOf(head) === 'building' ? null : head
  }

  return {
    async place(feed) {
      const head = await headOf(feed)
      return head && { ...placeOf(head), held: head.held !== null }
    },

    async read(feed) {
      for (let i = 0; i < ATTEMPTS; i++) {
        const known = await headOf(feed)
        if (known === null) return null
        const rows = jsonLines<ListRow>(await home.stream(listOf(feed, known.epoch), 'JSONCompactEachRow'))
        const first = await rows.next()
        // The epoch was removed meanwhile: its feed has a newer one, or is gone.
        if (first.done || first.value.length === 0) continue
        const head = JSON.parse(first.value[0]![0]) as FeedHead
        return { ...placeOf(head), batches: itemsAfter(first.value, rows, head.items) }
      }
      throw new Error(`the list of the feed ${feed} was made anew ${ATTEMPTS} times while it was read`)
    },

    async parquet(feed) {
      const head = await headOf(feed)
      if (head === null) return null
      const bytes = await home.stream(fileOfList(feed, head.epoch), 'Parquet')
      return { ...placeOf(head), bytes: untilReplaced(bytes, head.epoch, () => headOf(feed)) }
    },

    async deltas(feed, after, limit) {
      const head = await headOf(feed)
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

/** The items of a list, `items` of them. Throws when there are others: the answer was cut off, or the store is wrong. */
async function* itemsAfter(
  begun: readonly ListRow[],
  rest: AsyncIterable<readonly ListRow[]>,
  items: number,
): AsyncGenerator<readonly FeedItem[]> {
  let seen = begun.length - 1
  yield begun.slice(1).map(itemOf)
  for await (const rows of rest) {
    seen += rows.length
    yield rows.map(itemOf)
  }
  if (seen !== items) throw new Error(`a list of ${items} items was read as ${seen}`)
}

const itemOf = ([, entityId, type, value, reputation, accuracy, tags, first, last]: ListRow): FeedItem => ({
  entityId,
  type,
  value,
  reputation,
  accuracy,
  tags,
  firstSeen: Number(first),
  lastSeen: Number(last),
})
