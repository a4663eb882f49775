import type { Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { Binder } from './binder.ts'
import { attributeText, fieldValue, textsOf } from './field-value.ts'
import type { Surface } from './surface.ts'
import { wordsOf } from './text-words.ts'

/** Where the clauses of a search are compiled: what is looked at, and where its values are bound. */
export type At = { surface: Surface; b: Binder }

/** A condition on an SQL expression, as SQL. */
export type Test = (expression: string) => string

export const hasLetters = (field: Field): boolean => field.kind === 'keyword' || field.kind === 'text'

/** The text of a field with one value, empty where it has none; null for a field with several. */
function textOf(field: Field, { surface, b }: At): string | null {
  if (field.name === 'tags' || field.name === 'anyAttribute') return null
  return field.name === 'attribute' ? attributeText(field.attribute, surface, b) : surface.columns[field.name]
}

/** A whole value of a keyword or text meets the test. */
export function someValue(field: Field, at: At, test: Test): string {
  const text = textOf(field, at)
  return text === null
    ? `arrayExists(v -> ${test('v')}, ${fieldValue(field, at.surface, at.b)})`
    : `(${text} != '' AND ${test(text)})`
}

/** The same of a test that no empty text meets: what is absent need not be ruled out beforehand. */
export function someNamedValue(field: Field, at: At, test: Test): string {
  const text = textOf(field, at)
  return text === null ? someValue(field, at, test) : test(text)
}

/** One of the words of a text, Array(String) in lower case, is met by the test; false of any other field. */
export function someText(field: Field, { surface, b }: At, test: Test): string {
  if (field.kind !== 'text' || (field.name !== 'attribute' && field.name !== 'anyAttribute')) return '0'
  const texts = textsOf(field, surface, b)
  return 'one' in texts ? test(wordsOf(texts.one, b)) : `arrayExists(t -> ${test(wordsOf('t', b))}, ${texts.many})`
}

/** A whole value meets the one test, or a word of a text the other. */
export function someValueOrWord(field: Field, at: At, value: Test, word: Test | null): string {
  if (!hasLetters(field)) return '0'
  const whole = someValue(field, at, value)
  if (field.kind !== 'text' || word === null) return whole
  return `(${whole} OR ${someText(field, at, (words) => `arrayExists(w -> ${word('w')}, ${words})`)})`
}

/** Both, where the first is an index's and may be missing. */
export const withIndex = (first: string | undefined, condition: string): string =>
  first === undefined ? condition : `(${first} AND ${condition})`
