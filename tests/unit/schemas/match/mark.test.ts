import { expect, test } from 'vitest'
import { pushMark } from '../../../../schemas/match/mark.ts'

const highOf = (value: string): number => {
  const halves: number[] = []
  pushMark(halves, value)
  expect(halves).toHaveLength(2)
  return halves[0]!
}

test.each([
  ['', 0],
  ['test', 0xba6bd213],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('the first half of the mark of "%s" is its MurmurHash3', (value, high) => {
  expect(highOf(value)).toBe(high)
})

test('marks stand one after another, each of its own value, also beyond ASCII', () => {
  const halves: number[] = []
  for (const value of ['a.example', 'ä.example', 'a.example']) pushMark(halves, value)
  expect(halves.slice(4)).toEqual(halves.slice(0, 2))
  expect(halves.slice(2, 4)).not.toEqual(halves.slice(0, 2))
})
