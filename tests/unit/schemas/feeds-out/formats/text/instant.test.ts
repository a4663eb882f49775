import { expect, test } from 'vitest'
import { instant } from '../../../../../../schemas/feeds-out/formats/text/instant.ts'

const DAY = 86_400_000

test('a moment is written as a date writes it, before 1970 and after 9999 too', () => {
  const moments = [
    0,
    1,
    999,
    1_000,
    DAY - 1,
    DAY,
    -1,
    -DAY,
    1_800_000_000_123,
    253_402_300_800_000,
    8.64e15,
    -8.64e15,
    0.5,
  ]
  for (let day = -1_500; day < 1_500; day++) moments.push(day * 7 * DAY + Math.abs(day) * 57_123)
  for (const ms of moments) expect(instant(ms)).toBe(new Date(ms).toISOString())
})

test('what is no moment is refused', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, -8.64e15 - DAY])
    expect(() => instant(ms)).toThrow(RangeError)
})
