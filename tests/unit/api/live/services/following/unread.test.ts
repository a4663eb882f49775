import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundUnread } from '../../../../../../api/live/services/following/unread.ts'

function streamsOf(unread: readonly number[]) {
  const lagged: number[] = []
  const streams = unread.map((bytes, n) => ({ unread: () => bytes, lag: () => void lagged.push(n) }))
  return { streams, lagged }
}

test('nobody is ended while all fits', () => {
  const { streams, lagged } = streamsOf([5, 0, 5])
  boundUnread(streams, 10)
  expect(lagged).toEqual([])
})

test('those who read least are ended first, and no more than it takes', () => {
  const { streams, lagged } = streamsOf([1, 7, 3, 5])
  boundUnread(streams, 10)
  expect(lagged).toEqual([1])
})

test('whatever waits, what is left is within the bound, and nobody who reads more than one that is left was ended', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), fc.nat(300), (unread, most) => {
      const { streams, lagged } = streamsOf(unread)
      boundUnread(streams, most)
      const left = unread.filter((_, n) => !lagged.includes(n))
      expect(left.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(most)
      const least = Math.min(...lagged.map((n) => unread[n]!))
      for (const bytes of left) expect(bytes).toBeLessThanOrEqual(least)
    }),
  )
})
