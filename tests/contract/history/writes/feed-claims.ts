import { beforeAll, expect, test } from 'vitest'
import { tokenAfter } from '../../../../connectors/history/feeds-out/claim.ts'
import { membersBlock, rowOfMember } from '../../../../connectors/history/feeds-out/list-blocks.ts'
import { feedStore } from '../../../../connectors/history/feeds-out/list-store.ts'
import type { FeedWrite } from '../../../../connectors/history/feeds-out/port.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { DeltaOp } from '../../../../schemas/feeds-out/delta.ts'
import { headOf, idOf, item, member, newFeed } from '../../../builders/history/feed-lists.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'
import { during } from '../../../builders/suite/during.ts'

const EPOCH = 7

/** One entity comes into a list whose last sequence was `sequence - 1`, or goes out of it. */
function stepOf(feed: string, sequence: number, n: number, op: DeltaOp, items: number): FeedWrite {
  const of = item(n)
  return {
    head: headOf(feed, { epoch: EPOCH, sequence, items, inside: items }),
    members: [member(of, op === 'remove' ? 'gone' : 'listed')],
    deltas: [{ sequence, op, reason: 'reported', at: NOW, item: of }],
  }
}

/** Where a process may be stopped on its way to store a step. */
const POINTS = ['before feed_deltas', 'before feed_members', 'after feed_members'] as const

/** The same store, of a process that waits at a point until it is let go on, from its next step on. */
function stoppedAt(history: History, point: (typeof POINTS)[number]) {
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let armed = false
  const at = async (name: string): Promise<void> => {
    if (!armed || name !== point) return
    reached.resolve()
    await goOn.promise
  }
  const stopping: History = {
    ...history,
    async insert(table, block, token) {
      // Bytes that are on their way: what is sent again goes into the same buffer.
      const sent = { ...block, bytes: Buffer.from(block.bytes) }
      await at(`before ${table}`)
      await history.insert(table, sent, token)
      await at(`after ${table}`)
    },
  }
  const arm = (): void => {
    armed = true
  }
  return { stopping, arm, reached: reached.promise, goOn: goOn.resolve }
}

export function feedClaims(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string
  beforeAll(async () => {
    ;({ history, database } = await store.migrated())
  })

  const process = (over = history) => feedStore(over, database)

  /** What readers are given of a feed. */
  async function seen(feed: string) {
    const lists = process()
    const head = (await lists.heads()).find((one) => one.feed.id === feed)!
    const ids = Array.from({ length: 10 }, (_, n) => idOf(n))
    const members = await lists.members(feed, EPOCH, ids)
    const deltas = await lists.deltas(feed, 0, head.sequence, 100)
    return {
      sequence: head.sequence,
      items: head.items,
      listed: [...members.values()]
        .filter(({ state }) => state === 'listed')
        .map(({ item: { value } }) => value)
        .sort(),
      deltas: deltas.map(({ sequence, op, item: { value } }) => `${sequence} ${op} ${value}`),
    }
  }

  test.each(POINTS)(
    'a process that is stopped %s adds nothing to what its successor makes of a list',
    async (point) => {
      const feed = newFeed()
      const { stopping, arm, reached, goOn } = stoppedAt(history, point)
      const first = process(stopping)
      let after = await first.claim(BigInt(NOW))
      expect(await first.write([stepOf(feed, 1, 1, 'add', 1)], after + 1n, after)).toBe(true)
      after += 1n
      arm()
      // Its step takes out what is there; its clock is far ahead of that of the other.
      const late = first.write([stepOf(feed, 2, 1, 'remove', 0)], after + 1_000_000n, after)
      await reached
      const happened = point === 'after feed_members'

      const second = process()
      const claimed = await second.claim(after + 1_000n)
      expect((await seen(feed)).sequence).toBe(happened ? 2 : 1)
      const next = happened ? stepOf(feed, 3, 2, 'add', 1) : stepOf(feed, 2, 2, 'add', 2)
      if (point !== 'before feed_members') expect(await second.write([next], claimed + 1n, claimed)).toBe(true)
      goOn()
      expect(await late).toBe(false)
      // Nor does what it tries afterwards, instead of that.
      if (!happened) expect(await first.write([stepOf(feed, 2, 3, 'add', 2)], after + 9_000_000n, after)).toBe(false)
      if (point === 'before feed_members') {
        // It adds nothing either while its successor has only begun.
        expect(await seen(feed)).toEqual({ sequence: 1, items: 1, listed: ['192.0.2.1'], deltas: ['1 add 192.0.2.1'] })
        expect(await second.write([next], claimed + 1n, claimed)).toBe(true)
      }
      expect(await seen(feed)).toEqual(
        happened
          ? {
              sequence: 3,
              items: 1,
              listed: ['192.0.2.2'],
              deltas: ['1 add 192.0.2.1', '2 remove 192.0.2.1', '3 add 192.0.2.2'],
            }
          : {
              sequence: 2,
              items: 2,
              listed: ['192.0.2.1', '192.0.2.2'],
              deltas: ['1 add 192.0.2.1', '2 add 192.0.2.2'],
            },
      )
      expect(await second.isLast(claimed)).toBe(false)
    },
  )

  test('of many that would follow the same write one does, and of many that claim the lists one has them', async () => {
    const feed = newFeed()
    const all = Array.from({ length: 6 }, () => process())
    const claimed = await Promise.all(all.map((one, i) => one.claim(BigInt(NOW + i))))
    const last = await Promise.all(all.map((one, i) => one.isLast(claimed[i]!)))
    expect(last.filter(Boolean)).toHaveLength(1)
    const after = claimed[last.indexOf(true)]!
    // All of them choose one version.
    const written = await Promise.all(all.map((one, i) => one.write([stepOf(feed, 1, i, 'add', 1)], after + 1n, after)))
    expect(written.filter(Boolean)).toHaveLength(1)
    const { listed, sequence } = await seen(feed)
    expect([listed.length, sequence]).toEqual([1, 1])
  })

  test('the lists are claimed although a store that died remembers a token and has lost its block', async () => {
    const feed = newFeed()
    const first = process()
    const after = await first.claim(BigInt(NOW))
    expect(await first.write([stepOf(feed, 1, 1, 'add', 1)], after + 1n, after)).toBe(true)
    const block = membersBlock()
    block.add(rowOfMember(newFeed(), EPOCH, 1n, member(item(1))))
    await history.insert('feed_members', block.finish(), tokenAfter('feeds', after + 1n))

    expect(await first.write([stepOf(feed, 2, 2, 'add', 2)], after + 2n, after + 1n)).toBe(false)
    const next = process()
    const claimed = await next.claim(1n)
    expect(await next.write([stepOf(feed, 2, 3, 'add', 2)], claimed + 1n, claimed)).toBe(true)
    expect((await seen(feed)).deltas).toEqual(['1 add 192.0.2.1', '2 add 192.0.2.3'])
  })

  test('what removes the lists of before removes none that was made later', async () => {
    const feed = newFeed()
    const lists = process()
    const after = await lists.claim(1n)
    const head = headOf(feed, { epoch: EPOCH, items: 1, inside: 1 })
    expect(await lists.write([{ head, members: [member(item(1))], deltas: [] }], after + 1n, after)).toBe(true)
    await lists.forget(feed, EPOCH - 1, [0])
    expect((await seen(feed)).listed).toEqual(['192.0.2.1'])
    await lists.forget(feed, EPOCH, [0])
    expect((await seen(feed)).listed).toEqual(['192.0.2.1'])
    await lists.forget(feed, EPOCH + 1, [0])
    expect(await seen(feed)).toMatchObject({ items: 1, listed: [] })
  })
}
