import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { knownIds } from '../../../../../pipelines/processors/match/known-ids.ts'

const digest = (n: number): string => hash('sha256', `${n}`, 'hex').slice(0, 32)

test('an id that was added is never denied, however it was read, and few others are affirmed', () => {
  const ids = knownIds(17)
  for (let n = 0; n < 5_000; n++) ids.add(digest(n))
  ids.addAll(Buffer.from(Array.from({ length: 5_000 }, (_, n) => digest(5_000 + n)).join(''), 'hex'))
  expect(ids.size()).toBe(10_000)
  for (let n = 0; n < 10_000; n++) if (!ids.mayHave(digest(n))) expect.unreachable(`${n}`)
  let affirmed = 0
  for (let n = 10_000; n < 30_000; n++) if (ids.mayHave(digest(n))) affirmed++
  expect(affirmed).toBeLessThan(600)
})

test('what is longer than whole ids is left out', () => {
  const ids = knownIds(10)
  ids.addAll(Buffer.alloc(40))
  expect(ids.size()).toBe(2)
  expect(knownIds(10).mayHave(digest(1))).toBe(false)
})
