import { expect, test } from 'vitest'
import { beginAlerts } from '../../../../../pipelines/jobs/casework/begin.ts'

type Position = { partition: number; offset: number | null }

const { signal } = new AbortController()
const NONE: Position[] = [0, 1].map((partition) => ({ partition, offset: null }))

/** Ends of 10 and 20; changes at or after a moment begin at half of it. */
function world(given: { committed?: Position[]; earliest?: number | null; refuses?: number } = {}) {
  const order: string[] = []
  let { committed = NONE, earliest = null, refuses = 0 } = given
  const log = {
    committed: async () => committed,
    offsets: async () => {
      order.push('ends')
      return [10, 20].map((high, partition) => ({ partition, low: 0, high }))
    },
    offsetsAt: async (_: string, time: number) =>
      [10, 20].map((high, partition) => ({ partition, offset: Math.min(high, time / 2) })),
    setOffsets: async (_group: string, _topic: string, offsets: readonly Position[]) => {
      if (refuses-- > 0) throw new Error('the group has members')
      order.push('set')
      committed = [...offsets]
    },
  }
  const store = {
    lists: {
      earliest: async () => {
        order.push('items')
        return earliest
      },
    },
  }
  const begin = () => beginAlerts({ log, store } as never, async () => undefined, signal)
  return {
    begin,
    order,
    offsets: () => committed.map(({ offset }) => offset),
    become: (now: Position[]) => (committed = now),
  }
}

test('a new group begins at the end when there is no item, which is asked for after the end', async () => {
  const { begin, order, offsets } = world()
  await begin()
  expect([offsets(), order]).toEqual([
    [10, 20],
    ['ends', 'items', 'set'],
  ])
})

test('a new group begins with the first change that an item may fire for', async () => {
  const { begin, offsets } = world({ earliest: 30 })
  await begin()
  expect(offsets()).toEqual([10, 15])
})

test('a group that has positions keeps them, also when only some partitions have one', async () => {
  const committed = [
    { partition: 0, offset: 3 },
    { partition: 1, offset: null },
  ]
  const { begin, offsets } = world({ committed })
  await begin()
  expect(offsets()).toEqual([3, null])
})

test('of several processes one makes the positions, and the others find them', async () => {
  const other = world({ refuses: 2 })
  await other.begin()
  expect(other.offsets()).toEqual([10, 20])
  await expect(world({ refuses: 9 }).begin()).rejects.toThrow('the group has members')
})
