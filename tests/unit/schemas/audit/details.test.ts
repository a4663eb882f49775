import { expect, test } from 'vitest'
import { detail } from '../../../../schemas/audit/details.ts'

test('of many the first ten are kept and the number of all; of none there is nothing', () => {
  const names = Array.from({ length: 100 }, (_, i) => `group-${i}`)
  expect(detail('given', names)).toEqual([{ what: 'given', count: 100, first: names.slice(0, 10) }])
  expect(detail('given', ['red'])).toEqual([{ what: 'given', count: 1, first: ['red'] }])
  expect(detail('given', [])).toEqual([])
})

test('of a long name the first 128 bytes are kept, and never a part of a character', () => {
  const first = (name: string) => detail('given', [name])[0]!.first[0]!
  expect(first('a'.repeat(300))).toBe('a'.repeat(128))
  expect(first('a'.repeat(128))).toBe('a'.repeat(128))
  expect(first('€'.repeat(100))).toBe('€'.repeat(42))
  expect(first(`${'a'.repeat(126)}😀`)).toBe('a'.repeat(126))
})

test('what is no text of Unicode is kept as the log writes it', () => {
  expect(detail('given', ['a\ud800b'])[0]!.first).toEqual(['a\ufffdb'])
})
