import { expect, test } from 'vitest'
import { formatNamed } from '../../../../../../schemas/feeds-out/formats/format-table.ts'
import { listItem, writtenOf } from '../../../../../builders/feeds/list-items.ts'

const csv = formatNamed('csv')!
const cellsOf = (value: string, tags: string[] = []): string =>
  writtenOf(csv, [listItem('command', value, { tags })])
    .bytes.toString()
    .split('\r\n')
    .slice(1)
    .join('\r\n')

test.each([
  ['=1+1', ",'=1+1,"],
  ['+1', ",'+1,"],
  ['-1', ",'-1,"],
  ['@x', ",'@x,"],
  ["'=1+1", ",''=1+1,"],
  ['a,"b"', ',"a,""b""",'],
  ['a\nb', ',"a\nb",'],
  [' =1', ",' =1,"],
  [' a', '," a",'],
  ["'quoted'", ",'quoted',"],
])('the value %j is the cell %j', (value, cell) => {
  expect(cellsOf(value)).toContain(cell)
})

test('tags are one cell, which is no formula either', () => {
  expect(cellsOf('a', ['=1', 'b c'])).toContain(",'=1 b c,")
})

test('a reputation below 0 is a number', () => {
  expect(cellsOf('a')).toContain(',a,-3,2,')
})

test.each(['a\0b', 'a\u{1b}b', 'a\u{9b}b'])('a value with the control character of %j is left out', (value) => {
  expect(writtenOf(csv, [listItem('command', value)]).skipped).toBe(1)
})
