import { expect, test } from 'vitest'
import { withRange } from '../../../../../../api/intelligence/services/bulk/intake.ts'

test('a range that follows the last at once makes it longer, and what was handed out before stays as it was', () => {
  const before: [number, number][] = [
    [1, 2],
    [10, 20],
  ]
  expect(withRange(before, [21, 30])).toEqual([
    [1, 2],
    [10, 30],
  ])
  expect(withRange(before, [22, 30])).toEqual([
    [1, 2],
    [10, 20],
    [22, 30],
  ])
  expect(before).toEqual([
    [1, 2],
    [10, 20],
  ])
  expect(withRange([], [3, 3])).toEqual([[3, 3]])
})
