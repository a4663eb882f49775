import { expect, test } from 'vitest'
import { sensorTime } from '../../../../../schemas/match/mappings/apply.ts'

const AT = Date.UTC(2026, 0, 31, 12, 30, 0, 123)

test.each([
  ['2026-01-31T12:30:00.123456+0000', AT],
  ['2026-01-31T13:30:00.123+0100', AT],
  ['2026-01-31T13:30:00.123+01:00', AT],
  ['2026-01-31T12:30:00.123Z', AT],
  [`${AT / 1000}456`, AT],
  [`${AT}`, AT],
  [`${AT}456`, AT],
  [`${AT}456789`, AT],
  ['0', 0],
  ['', null],
  ['-1', null],
  ['1e3', null],
  ['2026-01-31', null],
  ['2026-02-30T12:30:00Z', null],
  ['9'.repeat(20), null],
])('%s', (text, time) => {
  expect(sensorTime(text)).toBe(time)
})
