import { expect, test } from 'vitest'
import { boundsOf, isBounded, parseOffset, parseTime, wholeNumber } from '../../../../../cli/commands/replay/options.ts'

const all = { workers: 1, entities: 1 }

test('an offset is given for each partition', () => {
  expect(parseOffset('1:20', parseOffset('0:1000', undefined))).toEqual(
    new Map([
      [0, 1000],
      [1, 20],
    ]),
  )
})

test.each(['', '1', 'a:1', '1:', '-1:2', '0:1e3'])('%j is no offset', (text) => {
  expect(() => parseOffset(text, undefined)).toThrow('must be partition:offset')
})

test('a time is a date, with or without an hour', () => {
  expect(parseTime('2026-01-31')).toBe(Date.UTC(2026, 0, 31))
  expect(parseTime('2026-01-31T12:00:00Z')).toBe(Date.UTC(2026, 0, 31, 12))
  for (const text of ['yesterday', '12', '2026-13-01']) expect(() => parseTime(text)).toThrow('must be a time')
})

test('numbers are whole and within bounds', () => {
  expect(wholeNumber(1, 4)('4')).toBe(4)
  for (const text of ['0', '5', '1.5', 'x']) expect(() => wholeNumber(1, 4)(text)).toThrow('from 1 to 4')
})

test('any bound makes a part; offsets and times exclude each other', () => {
  expect(isBounded(all)).toBe(false)
  expect(isBounded({ ...all, feed: 'f' })).toBe(true)
  expect(isBounded({ ...all, since: 0 })).toBe(true)
  expect(() => boundsOf({ ...all, since: 0, toOffset: new Map() })).toThrow('not by both')
})
