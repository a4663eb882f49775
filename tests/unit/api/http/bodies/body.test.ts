import { expect, test } from 'vitest'
import { MAX_DEPTH, parseJson } from '../../../../../api/http/bodies/body.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const accepted: { name: string; text: string }[] = [
  { name: 'the deepest nesting', text: nested(MAX_DEPTH) },
  { name: 'the greatest double', text: '1.7976931348623157e308' },
  { name: 'a surrogate pair', text: '"\\ud83d\\ude00"' },
  { name: 'an escaped NUL', text: '"\\u0000"' },
  { name: 'text that looks like a huge number', text: '"1e400"' },
  { name: 'a key of the prototype', text: '{"__proto__":{"a":1}}' },
]
for (const { name, text } of accepted) {
  test(`a body may hold ${name}`, () =>
    expect(JSON.stringify(parseJson(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text))))
}

const refused: { name: string; text: string; why: RegExp }[] = [
  { name: 'one level more', text: nested(MAX_DEPTH + 1), why: /nested deeper than 32/ },
  { name: 'a level more inside of an object', text: `{"a":${nested(MAX_DEPTH)}}`, why: /nested deeper than 32/ },
  { name: 'a number that is infinite', text: '{"a":[1e309]}', why: /out of range/ },
  { name: 'half of a surrogate pair', text: '["\\ude00"]', why: /well-formed/ },
  { name: 'half of a pair in a key', text: '{"\\ud83d":1}', why: /well-formed/ },
  { name: 'nothing', text: ' ', why: /required/ },
  { name: 'NaN', text: 'NaN', why: /not valid JSON/ },
]
for (const { name, text, why } of refused) {
  test(`a body may not hold ${name}`, () => expect(() => parseJson(Buffer.from(text))).toThrow(why))
}
