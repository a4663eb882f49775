import { expect, test } from 'vitest'
import { readFilter } from '../../../../../schemas/feeds-out/collections/filter.ts'
import { momentIn, momentText } from '../../../../../schemas/feeds-out/collections/moment.ts'
import { nextLook } from '../../../../../schemas/feeds-out/collections/validity.ts'

test('moments have six digits, and are read as they are written', () => {
  for (const micros of [0, 1, 999_999, 1_800_000_000_123_456]) expect(momentIn(momentText(micros))).toBe(micros)
  expect(momentText(1_800_000_000_123_456)).toBe('2027-01-15T08:00:00.123456Z')
})

test.each([
  ['2027-01-15T08:00:00Z', 1_800_000_000_000_000],
  ['2027-01-15T09:00:00.5+01:00', 1_800_000_000_500_000],
  ['2027-01-15T08:00:00.123456789Z', 1_800_000_000_123_456],
  ['2027-02-30T08:00:00Z', null],
  ['2027-01-15', null],
  ['2027-01-15T08:00:00 00:00', 1_800_000_000_000_000],
  ['2027-01-15 09:00:00+01:00', 1_800_000_000_000_000],
  ['2027-01-15T08:00:00', null],
  ['now', null],
])('the moment %s is %s', (text, micros) => expect(momentIn(text)).toBe(micros))

test.each([
  [{ id: 'indicator--x' }, 'match[id]'],
  [{ type: 'In dicator' }, 'match[type]'],
  [{ version: 'newest' }, 'match[version]'],
  [{ specVersion: 'two' }, 'match[spec_version]'],
])('a filter %o is refused by its name', (given, param) =>
  expect(readFilter(given)).toMatchObject({ ok: false, param }),
)

test('without a version the last one is asked for, and objects are of STIX 2.1', () => {
  expect(readFilter({})).toMatchObject({ ok: true, filter: { versions: ['last'], speaks21: true } })
  expect(readFilter({ specVersion: '2.0' })).toMatchObject({ ok: true, filter: { speaks21: false } })
})

test('a version of before 1970 is one that no object has', () => {
  expect(readFilter({ version: '1960-01-01T00:00:00Z' })).toMatchObject({ ok: true, filter: { versions: [0] } })
})

test('a claim is looked at at half of its time, more often towards its end, at the end, and each minute after it', () => {
  const day = 86_400_000
  const looks = [0]
  while (looks.at(-1)! < 32 * day + 60_000) looks.push(nextLook(0, 32 * day, looks.at(-1)!))
  expect(looks.map((at) => at / day)).toEqual([0, 16, 24, 28, 30, 31, 32, 32 + 60_000 / day])
  expect(nextLook(0, 0, 5)).toBe(0)
})
