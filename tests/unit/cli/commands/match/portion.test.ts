import { expect, test } from 'vitest'
import { collector } from '../../../../../cli/commands/match/portion.ts'

test('a portion has the lines of its events and the time of the first', () => {
  let now = 5
  const portions = collector(() => now)
  expect([portions.since(), portions.take()]).toEqual([null, null])
  portions.add('{"a":1}', 3)
  now = 9
  portions.add('{"b":1}', 3)
  expect(portions.since()).toBe(5)
  expect(portions.take()).toEqual({ body: '{"a":1}\n{"b":1}\n', lines: [3, 3] })
  expect([portions.since(), portions.take()]).toEqual([null, null])
})

test('a portion has at most 5,000 lines', () => {
  const portions = collector(() => 0)
  for (let line = 1; line < 5_000; line++) portions.add('{}', line)
  expect(portions.fits('{}')).toBe(true)
  portions.add('{}', 5_000)
  expect(portions.fits('{}')).toBe(false)
})

test('a portion has at most 4 MiB, unless it is one line', () => {
  const portions = collector(() => 0)
  const large = 'é'.repeat(1024 * 1024)
  expect(portions.fits(large.repeat(9))).toBe(true)
  portions.add(large, 1)
  expect([portions.fits(large), portions.fits(large.slice(2))]).toEqual([false, true])
})
