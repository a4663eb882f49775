import { describe, expect, test } from 'vitest'
import { paramText } from '../../../../../connectors/history/wire/reader.ts'

describe('the text of a query parameter', () => {
  test.each<[string, unknown, string]>([
    ['text', 'it is', 'it is'],
    ['text with escapes', "a'b\\c\td\ne\rf", "a\\'b\\\\c\\td\\ne\\rf"],
    ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
    ['a number', 1.5, '1.5'],
    ['no number', Number.NaN, 'nan'],
    ['infinity', -Infinity, '-inf'],
    ['a long number', 18446744073709551615n, '18446744073709551615'],
    ['a truth', true, '1'],
    ['nothing', null, '\\N'],
    ['numbers', [1n, 2n], '[1,2]'],
    ['texts', ["a'b", '\\'], "['a\\'b','\\\\']"],
    ['a map', { "a'b": 'c', d: 1 }, "{'a\\'b':'c','d':1}"],
    ['lists', [['a', null], []], "[['a',NULL],[]]"],
  ])('of %s', (_, value, text) => {
    expect(paramText(value)).toBe(text)
  })

  test.each([[undefined], [[undefined]], [{ a: undefined }], [() => 1]])('is none for %s', (value) => {
    expect(() => paramText(value)).toThrow(TypeError)
  })
})
