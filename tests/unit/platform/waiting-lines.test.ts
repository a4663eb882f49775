import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type LineBounds, waitingLines } from '../../../platform/waiting-lines.ts'

/** Longer than any test waits. */
const LONG = 1_000_000

/** Lines whose groups end when they are told to. */
function watched(bounds: Partial<LineBounds>) {
  const groups: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const ask = async (group: readonly number[]): Promise<void> => {
    groups.push(group)
    await new Promise<void>((resolve) => ends.push(resolve))
  }
  const join = waitingLines(ask, { atOnce: 1, most: 10, maxWaiting: 100, ...bounds })
  const end = async (n: number): Promise<void> => {
    ends[n]!()
    await turn()
  }
  return { join, groups, end }
}

test('what comes while a group is asked waits, and is asked together when it ends', async () => {
  const { join, groups, end } = watched({})
  for (const n of [1, 2, 3]) join('a', n)
  expect(groups).toEqual([[1]])
  await end(0)
  expect(groups).toEqual([[1], [2, 3]])
  join('a', 4)
  await end(1)
  expect(groups).toEqual([[1], [2, 3], [4]])
})

test('what comes in one turn is asked together from the start where lines are gathered', async () => {
  const { join, groups, end } = watched({ atOnce: 2, gatherMs: LONG })
  for (const n of [1, 2, 3]) join('a', n)
  expect(groups).toEqual([])
  await turn()
  expect(groups).toEqual([[1, 2, 3]])
  // The other place is free again.
  join('a', 4)
  await turn()
  expect(groups).toEqual([[1, 2, 3], [4]])
  await end(0)
  await end(1)
})

test('those who were answered are waited for, and no longer than until they are there', async () => {
  const { join, groups, end } = watched({ gatherMs: LONG })
  join('a', 1)
  await turn()
  join('a', 2)
  await end(0)
  expect(groups).toEqual([[1]])
  join('a', 3)
  expect(groups).toEqual([[1], [2, 3]])
  await end(1)
  for (const n of [4, 5]) join('a', n)
  expect(groups).toEqual([[1], [2, 3], [4, 5]])
})

test('those who do not ask again are not waited for longer than may be', async () => {
  const { join, groups, end } = watched({ gatherMs: 1 })
  join('a', 1)
  await turn()
  join('a', 2)
  await end(0)
  await vi.waitFor(() => expect(groups).toEqual([[1], [2]]))
  await end(1)
  join('a', 3)
  await vi.waitFor(() => expect(groups).toEqual([[1], [2], [3]]))
})

test('lines of other names do not wait for each other, and never share', async () => {
  const { join, groups } = watched({})
  join('a', 1)
  join('b', 2)
  expect(groups).toEqual([[1], [2]])
})

test('a group has a bound, and so has what waits', async () => {
  const { join, groups, end } = watched({ most: 2, maxWaiting: 3 })
  expect([1, 2, 3, 4, 5].map((n) => join('a', n))).toEqual([true, true, true, true, false])
  await end(0)
  expect(groups).toEqual([[1], [2, 3]])
  await end(1)
  expect(groups).toEqual([[1], [2, 3], [4]])
})

test('a line that has nothing left begins anew', async () => {
  const { join, groups, end } = watched({})
  join('a', 1)
  await end(0)
  join('a', 2)
  expect(groups).toEqual([[1], [2]])
})
