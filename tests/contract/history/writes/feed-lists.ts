import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../connectors/history/feeds-out/list-rows.ts'
import { feedStore } from '../../../../connectors/history/feeds-out/list-store.ts'
import type { FeedWrite } from '../../../../connectors/history/feeds-out/port.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { FeedDelta } from '../../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import { inListOrder } from '../../../../schemas/feeds-out/order.ts'
import { headOf, item, listsIn, member, newFeed, writtenAnew } from '../../../builders/history/feed-lists.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'
import { during } from '../../../builders/suite/during.ts'

const deltaOf = (sequence: number, of: FeedItem): FeedDelta => ({
  sequence,
  op: 'add',
  reason: 'reported',
  at: NOW,
  item: of,
})

export function feedLists(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string
  beforeAll(async () => {
    ;({ history, database } = await store.migrated())
  })

  const lists = () => listsIn(history, database)
  const write = (writes: readonly FeedWrite[]) => writtenAnew(feedStore(history, database), writes)

  async function readAll(feed: string) {
    const read = (await lists().read(feed))!
    const items: FeedItem[] = []
    for await (const some of itemsIn(read.rows, read.items)) items.push(...some)
    const { epoch, sequence } = read
    return { epoch, sequence, items }
  }

  test('a list comes whole, in its order, with its sequence', async () => {
    const feed = newFeed()
    const all = Array.from({ length: 3_000 }, (_, i) =>
      item(i, {
        reputation: 3 - (i % 7),
        accuracy: i % 4,
        lastSeen: NOW + (i % 7),
        tags: i % 2 === 0 ? [] : ["it's", '\n"x"\t'],
      }),
    )
    const others = [member(item(9_001), 'left'), member(item(9_002), 'gone')]
    const head = headOf(feed, { items: all.length, sequence: 12 })
    await write([{ head, members: [...all.map((one) => member(one)), ...others], deltas: [] }])
    expect(await readAll(feed)).toEqual({ epoch: 1, sequence: 12, items: all.toSorted(inListOrder) })
    expect(await lists().place(feed)).toEqual({ epoch: 1, sequence: 12, items: 3_000, held: false })
  })

  test('of an empty list nothing comes, and a feed without a list has none', async () => {
    const feed = newFeed()
    expect([await lists().place(feed), await lists().read(feed), await lists().parquet(feed)]).toEqual([
      null,
      null,
      null,
    ])
    expect(await lists().deltas(feed, 0, 10)).toBeNull()
    await write([{ head: headOf(feed, { epoch: 0 }), members: [], deltas: [] }])
    expect(await lists().place(feed)).toBeNull()
    await write([{ head: headOf(feed), members: [], deltas: [] }])
    expect(await readAll(feed)).toEqual({ epoch: 1, sequence: 0, items: [] })
  })

  test('a list that has other items than its head says is an error, not half a list', async () => {
    const feed = newFeed()
    await write([{ head: headOf(feed, { items: 2 }), members: [member(item(1))], deltas: [] }])
    await expect(readAll(feed)).rejects.toThrow('a list of 2 items was read as 1')
  })

  test('while steps go on, each list that is read is that of its sequence', async () => {
    const feed = newFeed()
    await write([{ head: headOf(feed), members: [], deltas: [] }])
    let writing = true
    const steps = async () => {
      for (let n = 1; n <= 12; n++) {
        const head = headOf(feed, { items: n, sequence: n, version: n + 1 })
        await write([{ head, members: [member(item(n))], deltas: [deltaOf(n, item(n))] }])
      }
      writing = false
    }
    const reads = async () => {
      for (; writing; ) {
        const { sequence, items } = await readAll(feed)
        expect(items).toHaveLength(sequence)
      }
    }
    await Promise.all([steps(), reads(), reads()])
  })

  test('the store itself writes a list as a Parquet file', async () => {
    const feed = newFeed()
    await write([{ head: headOf(feed, { items: 2 }), members: [member(item(1)), member(item(2))], deltas: [] }])
    const { sequence, items, bytes } = (await lists().parquet(feed))!
    expect([sequence, items]).toEqual([0, 2])
    const file = await buffer(bytes)
    expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
    // One file, and not several behind each other: what stands before the last mark is the length of its one footer.
    expect(file.indexOf('PAR1', 4)).toBe(file.length - 4)
  })

  test('a Parquet file of a list that was made anew meanwhile is an error, not a shorter file', async () => {
    const feed = newFeed()
    await write([{ head: headOf(feed, { items: 1 }), members: [member(item(1))], deltas: [] }])
    const { bytes } = (await lists().parquet(feed))!
    await write([{ head: headOf(feed, { epoch: 2, items: 1 }), members: [member(item(1))], deltas: [] }])
    await expect(buffer(bytes)).rejects.toThrow('rebuilt while it was read')
    expect((await buffer((await lists().parquet(feed))!.bytes)).length).toBeGreaterThan(8)
  })

  test('deltas come in order, without gaps, up to the head, and say when some are not kept any more', async () => {
    const feed = newFeed()
    const all = Array.from({ length: 6 }, (_, i) => deltaOf(i + 1, item(i)))
    // What stands beyond the head is nobody's.
    const head = headOf(feed, { sequence: 5 })
    await write([{ head, members: [], deltas: all }])
    expect(await lists().deltas(feed, 0, 10)).toEqual({ deltas: all.slice(0, 5), now: 5, complete: true })
    expect(await lists().deltas(feed, 3, 1)).toEqual({ deltas: all.slice(3, 4), now: 5, complete: true })
    expect(await lists().deltas(feed, 5, 10)).toEqual({ deltas: [], now: 5, complete: true })
    expect(await lists().deltas(feed, 6, 10)).toMatchObject({ complete: false })
    await history.query({ sql: 'DELETE FROM feed_deltas WHERE feed = {feed:UUID} AND sequence < 3', params: { feed } })
    expect(await lists().deltas(feed, 1, 10)).toMatchObject({ complete: false })
    expect(await lists().deltas(feed, 2, 10)).toMatchObject({ complete: true })
  })

  test('a stream is refused before its first byte, and ends with an error when the store fails in the middle', async () => {
    const read = async (sql: string) => buffer(await history.stream({ sql, params: {} }, 'JSONCompactEachRow'))
    await expect(read('SELECT nothing')).rejects.toMatchObject({ type: 'UNKNOWN_IDENTIFIER' })
    expect((await read('SELECT number FROM numbers(200000)')).subarray(-10).toString()).toBe('"199999"]\n')
    const failing = read('SELECT number, throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 1000')
    await expect(failing).rejects.toThrow()
    const gone = new AbortController()
    const stream = await history.stream(
      { sql: 'SELECT number FROM numbers(100000000)', params: {} },
      'JSONCompactEachRow',
      gone.signal,
    )
    let seen = 0
    const left = (async () => {
      for await (const piece of stream) {
        seen += piece.length
        if (seen > 1_000_000) gone.abort(new Error('left'))
      }
    })()
    await expect(left).rejects.toThrow()
    expect(seen).toBeLessThan(100_000_000)
  })
}
