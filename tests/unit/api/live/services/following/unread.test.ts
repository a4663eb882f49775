import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beyond, mostFirst, unreadBound } from '../../../../../../api/live/services/following/unread.ts'

/** A stream with so many bytes unread, which it keeps until it is gone. */
function waiting(bytes: number) {
  const closed = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const told: string[] = []
  let isOpen = true
  let unread = bytes
  const stream = {
    isOpen: () => isOpen,
    unread: () => unread,
    closed: closed.promise,
    gone: gone.promise,
    lag() {
      told.push('lagging')
      isOpen = false
      closed.resolve()
    },
    cut() {
      told.push('cut')
      gone.resolve()
    },
  }
  const leave = (): void => {
    isOpen = false
    closed.resolve()
    gone.resolve()
  }
  return { stream, told, leave, holds: (now: number) => (unread = now) }
}

function bounded(mostOpen: number, mostEnded: number, bytes: number[]) {
  const bound = unreadBound(mostOpen, mostEnded)
  const all = bytes.map(waiting)
  for (const { stream } of all) bound.add(stream)
  return { bound, all, told: () => all.map(({ told }) => told.join(' ')) }
}

test('nobody lags while all together are within the bound', () => {
  const { bound, told } = bounded(100, 100, [60, 40, 0])
  bound.keepWithin()
  expect(told()).toEqual(['', '', ''])
})

test('those with the most lag, as few as are enough, and are not counted among the open ones again', () => {
  const { bound, told } = bounded(100, 1_000, [10, 70, 20, 60])
  bound.keepWithin()
  expect(told()).toEqual(['', 'lagging', '', ''])
  bound.keepWithin()
  expect(told()).toEqual(['', 'lagging', '', ''])
})

test('of those that were told that they lag, the first ones are cut off when all of these hold too much', async () => {
  const { bound, all, told } = bounded(70, 100, [80, 20, 10])
  bound.keepWithin()
  await all[0]!.stream.closed
  all[1]!.holds(65)
  bound.keepWithin()
  await all[1]!.stream.closed
  expect(told()).toEqual(['lagging', 'lagging', ''])
  bound.keepWithin()
  await all[0]!.stream.gone
  expect(told()).toEqual(['lagging cut', 'lagging', ''])
  bound.keepWithin()
  expect(told()).toEqual(['lagging cut', 'lagging', ''])
})

test('who has left counts no more', async () => {
  const { bound, all, told } = bounded(100, 100, [90, 90])
  all[0]!.leave()
  await all[0]!.stream.gone
  bound.keepWithin()
  expect(told()).toEqual(['', ''])
})

test('whatever waits, those that stay are within the bound, and none of them has more than one that does not', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(300), (bytes, most) => {
      const all = bytes.map((n) => ({ unread: () => n }))
      const chosen = beyond(mostFirst(all), most)
      const stay = all.filter((one) => !chosen.includes(one)).map(({ unread }) => unread())
      const total = stay.reduce((sum, n) => sum + n, 0)
      expect(total).toBeLessThanOrEqual(most)
      const least = Math.min(...chosen.map(({ unread }) => unread()))
      for (const n of stay) expect(n).toBeLessThanOrEqual(least)
      // One fewer were not enough.
      if (chosen.length > 0) expect(total + least).toBeGreaterThan(most)
    }),
  )
})
