import { expect, test } from 'vitest'
import { boundsOf, isBounded, parseOffset } from '../../../../../cli/commands/replay/options.ts'

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
  expect(() => parseOffset(text, undefined)).toThrow('Expected partition:offset')
})

test('any bound makes a part; offsets and times exclude each other', () => {
  expect(isBounded(all)).toBe(false)
  expect(isBounded({ ...all, feed: 'f' })).toBe(true)
  expect(isBounded({ ...all, since: 0 })).toBe(true)
  expect(() => boundsOf({ ...all, since: 0, toOffset: new Map() })).toThrow('not by both')
})
