import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spanOf, WINDOWS } from '../../../../../schemas/accounts/tiers/windows.ts'

const at = (text: string): number => Date.parse(text)
const shown = (window: (typeof WINDOWS)[number], time: string) => {
  const { start, end } = spanOf(window, at(time))
  return [new Date(start).toISOString(), new Date(end).toISOString()]
}

const cases: [(typeof WINDOWS)[number], string, string, string][] = [
  ['minute', '2024-02-29T23:59:59.999Z', '2024-02-29T23:59:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['hour', '2024-12-31T23:30:00.000Z', '2024-12-31T23:00:00.000Z', '2025-01-01T00:00:00.000Z'],
  ['day', '2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z', '2024-03-02T00:00:00.000Z'],
  // A Sunday is the last day of its ISO week, a Monday the first; the week of a new year may begin in the old one.
  ['week', '2024-12-29T23:59:59.999Z', '2024-12-23T00:00:00.000Z', '2024-12-30T00:00:00.000Z'],
  ['week', '2024-12-30T00:00:00.000Z', '2024-12-30T00:00:00.000Z', '2025-01-06T00:00:00.000Z'],
  ['month', '2024-02-29T12:00:00.000Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['month', '2025-12-31T23:59:59.999Z', '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
]

for (const [window, time, start, end] of cases)
  test(`the ${window} of ${time} is ${start} to ${end}`, () => expect(shown(window, time)).toEqual([start, end]))

test('windows follow each other without gap, and a time is inside of its own', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...WINDOWS),
      fc.integer({ min: 0, max: at('2100-01-01T00:00:00Z') }),
      (window, time) => {
        const { start, end } = spanOf(window, time)
        expect(start <= time && time < end).toBe(true)
        expect(spanOf(window, end).start).toBe(end)
        expect(spanOf(window, start - 1).end).toBe(start)
        if (window === 'week') expect(new Date(start).getUTCDay()).toBe(1)
      },
    ),
  )
})
