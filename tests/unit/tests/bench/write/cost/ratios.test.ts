import { expect, test } from 'vitest'
import { compared, recordedRatios } from '../../../../../bench/write/cost/ratios.ts'

test('each ratio stands beside the recorded one, with how many times that it is', () => {
  expect(compared({ a: 3, b: 1 }, { b: 2, a: 2 })).toEqual([
    { of: 'a', ratio: 3, recorded: 2, more: 1.5 },
    { of: 'b', ratio: 1, recorded: 2, more: 0.5 },
  ])
})

test('a ratio that nobody recorded, and one that is not measured any more, are named', () => {
  expect(() => compared({ a: 1, b: 1 }, { a: 1 })).toThrow("the ratio 'b' is not measured, or not recorded")
  expect(() => compared({ a: 1 }, { a: 1, b: 1 })).toThrow("the ratio 'b' is not measured, or not recorded")
})

test('what is recorded are positive numbers', () => {
  const all = Object.values(recordedRatios())
  expect(all.length).toBeGreaterThan(5)
  for (const ratio of all) expect(ratio).toBeGreaterThan(0)
})
