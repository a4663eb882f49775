import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { knownIds } from '../../../../../pipelines/processors/match/known-ids.ts'

const digest = (n: number): Buffer => hash('sha256', `${n}`, 'buffer').subarray(0, 16)

test('an id that was added is never denied, however it was read, and few others are affirmed', () => {
  const ids = knownIds(17)
  for (let n = 0; n < 5_000; n++) ids.addAll(digest(n))
  const others = Buffer.concat(Array.from({ length: 5_000 }, (_, n) => digest(5_000 + n)))
  ids.addAll(others)
  expect(ids.size()).toBe(10_000)
  for (let n = 0; n < 10_000; n++) if (!ids.mayHave(digest(n), 0)) expect.unreachable(`${n}`)
  let affirmed = 0
  for (let n = 10_000; n < 30_000; n++) if (ids.mayHave(digest(n), 0)) affirmed++
  expect(affirmed).toBeLessThan(600)
  for (let n = 0; n < 5_000; n++) expect(ids.mayHave(others, n * 16)).toBe(true)
})

test('what is longer than whole ids is left out', () => {
  const ids = knownIds(10)
  ids.addAll(Buffer.alloc(40))
  expect(ids.size()).toBe(2)
  expect(knownIds(10).mayHave(digest(1), 0)).toBe(false)
})
