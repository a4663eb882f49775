import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { moments } from '../../../../../../schemas/intelligence/search/values/dates.ts'

const NOW = Date.parse('2026-11-20T10:20:30.400Z')

const iso = (given: string | number, now = NOW): [string, string] | string => {
  const found = moments(given, now)
  if ('reason' in found) return found.reason
  return [new Date(found.first).toISOString(), new Date(found.last).toISOString()]
}

describe('the moments of a date', () => {
  const cases: [given: string | number, first: string, last?: string][] = [
    ['2026', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-02', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['1900-02', '1900-02-01T00:00:00.000Z', '1900-02-28T23:59:59.999Z'],
    ['2000-02', '2000-02-01T00:00:00.000Z', '2000-02-29T23:59:59.999Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['0001', '0001-01-01T00:00:00.000Z', '0001-12-31T23:59:59.999Z'],
    ['9999', '9999-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20 10:00:00.1', '2026-11-20T10:00:00.100Z'],
    ['2026-11-20T10:00:00.123456789Z', '2026-11-20T10:00:00.123Z'],
    ['2026-11-20T01:00:00+02:30', '2026-11-19T22:30:00.000Z'],
    ['2026-11-20T23:00:00-0200', '2026-11-21T01:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    ['1763600000000', '2025-11-20T00:53:20.000Z'],
    ['now', '2026-11-20T10:20:30.400Z'],
    ['now-24h', '2026-11-19T10:20:30.400Z'],
    ['now-24H', '2026-11-19T10:20:30.400Z'],
    ['now+90s', '2026-11-20T10:22:00.400Z'],
    ['now-2w+1d-3m', '2026-11-07T10:17:30.400Z'],
    ['now/d', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['now-1d/d', '2026-11-19T00:00:00.000Z', '2026-11-19T23:59:59.999Z'],
    ['now/h', '2026-11-20T10:00:00.000Z', '2026-11-20T10:59:59.999Z'],
    ['now/m', '2026-11-20T10:20:00.000Z', '2026-11-20T10:20:59.999Z'],
    ['now/s', '2026-11-20T10:20:30.000Z', '2026-11-20T10:20:30.999Z'],
    ['now/w', '2026-11-16T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
    ['now/M', '2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'],
    ['now/y', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['now/M+1M', '2026-12-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['now/M-1d/M', '2026-10-01T00:00:00.000Z', '2026-10-31T23:59:59.999Z'],
    ['now/d+1h', '2026-11-20T01:00:00.000Z', '2026-11-21T00:59:59.999Z'],
    ['2026-01-31||+1M', '2026-02-28T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['2024-01-31||+1M', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2024-02-29||+1y', '2025-02-28T00:00:00.000Z', '2025-02-28T23:59:59.999Z'],
    ['2026-03-31T12:00Z||-1M', '2026-02-28T12:00:00.000Z'],
    ['2026-01-15||-1M', '2025-12-15T00:00:00.000Z', '2025-12-15T23:59:59.999Z'],
    ['2026-01-15||-13M', '2024-12-15T00:00:00.000Z', '2024-12-15T23:59:59.999Z'],
    ['2026-11||/d', '2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'],
    ['2026-11-20||/y', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['1969-12-31||/w', '1969-12-29T00:00:00.000Z', '1970-01-04T23:59:59.999Z'],
    ['0||+1d', '1970-01-02T00:00:00.000Z'],
  ]
  for (const [given, first, last] of cases)
    test(`of ${JSON.stringify(given)}`, () => expect(iso(given)).toEqual([first, last ?? first]))
})

describe('what is no date', () => {
  const wrong = [
    ...['', 'soon', 'nowhere', 'now-', 'now-d', 'now+1', 'now-24x', 'now/5d', 'now/d/', 'now - 1d', '2026-13'],
    ...['2026-00', '2026-02-29', '2026-04-31', '2026-11-20T24:00:00Z', '2026-11-20T10:60Z', '2026-11-20T10:00:60Z'],
    ...['2026-11-20T10', '20261120T10', '||', '||+1d', '2026-1-1', '26-11-20', '2026-11-20Z', '1.5'],
    ...['2026-11-20T10:00:00+24:00', '2026-11-20T10:00:00+2', 'NOW', `now${'+1d'.repeat(60)}`, 'x'.repeat(60_000)],
  ]
  for (const given of wrong)
    test(`as ${JSON.stringify(given.slice(0, 30))}`, () => expect(iso(given)).toContain('must be a date'))
  test('as a fraction of a millisecond', () => expect(iso(1.5)).toContain('must be a date'))
  for (const far of ['now+9999y', 'now-999999999y', 'now+999999999w', 9e15, -9e15, '9999-12-31||+1d', '0000||-1s'])
    test(`beyond the calendar: ${far}`, () => expect(iso(far)).toContain('the years 0000 to 9999'))
})

test('a rounded date lies in the unit that it is rounded to, whichever it is', () => {
  const time = fc.integer({ min: -5e12, max: 9e12 })
  fc.assert(
    fc.property(time, fc.constantFrom('y', 'M', 'w', 'd', 'h', 'm', 's'), (now, unit) => {
      const found = moments(`now/${unit}`, now)
      if ('reason' in found) throw new Error(found.reason)
      expect(found.first).toBeLessThanOrEqual(now)
      expect(found.last).toBeGreaterThanOrEqual(now)
      expect(moments(`now/${unit}`, found.first)).toEqual(found)
      expect(moments(`now/${unit}`, found.last)).toEqual(found)
      expect(moments(`now/${unit}+1${unit}`, now)).toMatchObject({ first: found.last + 1 })
    }),
  )
})

test('any text is answered', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^now[-+/0-9yMwdhHms|]{0,20}$/)), (text) => {
      const found = moments(text, NOW)
      if (!('reason' in found)) expect(found.first).toBeLessThanOrEqual(found.last)
    }),
  )
})
