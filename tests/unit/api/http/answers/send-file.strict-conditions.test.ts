import { expect, test } from 'vitest'
import { strictConditions } from '../../../../../api/http/answers/send-file.ts'

const SIZE = 100

test.each([
  ['bytes=0-9', 'bytes=0-9'],
  ['bytes=90-', 'bytes=90-'],
  ['bytes=-10', 'bytes=-10'],
  ['bytes=-100', 'bytes=-100'],
  // A suffix that is longer than the file is all of it.
  ['bytes=-101', 'bytes=0-'],
  ['bytes=0-1, -500', 'bytes=0-1,0-'],
  // What lies behind the end is refused by whoever reads it.
  ['bytes=200-300', 'bytes=200-300'],
  ['bytes=-0', 'bytes=-0'],
  // No ranges, which are ignored.
  ['bytes=5-4', undefined],
  ['bytes=0-1,5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=', undefined],
  ['items=0-1', 'items=0-1'],
])('the range %s is read as %s', (range, read) => {
  expect(strictConditions({ range }, SIZE).range).toBe(read)
})

test('of an empty file a suffix stays what it is', () => {
  expect(strictConditions({ range: 'bytes=-5' }, 0).range).toBe('bytes=-5')
})

test('a weak tag never matches where a strong one is asked for', () => {
  expect(strictConditions({ 'if-match': 'W/"a"' }, SIZE)).toEqual({ 'if-match': '""' })
  expect(strictConditions({ 'if-match': 'W/"a", "b"' }, SIZE)['if-match']!.trim()).toBe('"b"')
  expect(strictConditions({ 'if-match': '*' }, SIZE)).toEqual({ 'if-match': '*' })
  expect(strictConditions({ range: 'bytes=0-1', 'if-range': 'W/"a"' }, SIZE)).toEqual({})
  const strong = { range: 'bytes=0-1', 'if-range': '"a"' }
  expect(strictConditions(strong, SIZE)).toEqual(strong)
})
