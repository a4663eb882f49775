import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTo, sum, sumBy } from '../../../../../schemas/intelligence/scoring/sums.ts'

test('a sum of thousands of floats is the true sum, rounded', () => {
  // Multiples of 2^-60: whole numbers tell the true sum.
  const numbers = fc.array(fc.bigInt({ min: 1n, max: 2n ** 53n }), { minLength: 1, maxLength: 2_000, size: 'max' })
  fc.assert(
    fc.property(numbers, (given) => {
      const truth = Number(given.reduce((all, n) => all + n, 0n)) * 2 ** -60
      expect(sumBy(given, (n) => Number(n) * 2 ** -60)).toBe(truth)
    }),
  )
})

test('what is added and taken away again leaves the sum as it was', () => {
  const all = sum()
  for (let i = 1; i <= 10_000; i++) addTo(all, 1 / i)
  const before = all.high
  for (let i = 1; i <= 10_000; i++) addTo(all, Math.sqrt(i))
  for (let i = 1; i <= 10_000; i++) addTo(all, -Math.sqrt(i))
  expect(all.high).toBe(before)
})
