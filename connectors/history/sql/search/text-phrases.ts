import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import { CUT, MAX_TOKEN_BYTES } from '../../../../schemas/intelligence/state/terms.ts'
import { type At, someText, withIndex } from './field-tests.ts'

type Of<Kind extends Clause['is']> = Extract<Clause, { is: Kind }>

/** At least so many of the distinct words; the last may be the beginning of one. Fields other than text have none. */
export function words({ field, words: given, atLeast, lastIsPrefix }: Of<'words'>, at: At): string {
  const least = Math.max(1, atLeast)
  if (field.kind !== 'text' || given.length < least) return '0'
  const whole = lastIsPrefix ? given.slice(0, -1) : given
  const last = lastIsPrefix ? begins(given.at(-1)!, at) : null
  const count = (found: string): string =>
    [
      whole.length > 0 && `length(arrayIntersect(${found}, ${at.b.bind(whole, 'Array(String)')}))`,
      last !== null && `toUInt64(${last(found)})`,
    ]
      .filter(Boolean)
      .join(' + ')
  const exact = someText(field, at, (found) => {
    if (last === null && least === 1) return `hasAny(${found}, ${at.b.bind(whole, 'Array(String)')})`
    if (last === null && least === whole.length) return `hasAll(${found}, ${at.b.bind(whole, 'Array(String)')})`
    return `${count(found)} >= ${least}`
  })
  // So many of the whole words have to be there, whatever the last one finds.
  return withIndex(narrowTo(whole, least - (lastIsPrefix ? 1 : 0), at), exact)
}

/** The words one after the other; the last may be the beginning of one. */
export function phrase({ field, words: given, lastIsPrefix }: Of<'phrase'>, at: At): string {
  if (field.kind !== 'text' || given.length === 0) return '0'
  const whole = lastIsPrefix ? given.slice(0, -1) : given
  const exact = someText(field, at, (found) => {
    if (!lastIsPrefix) return `hasSubstr(${found}, ${at.b.bind(given, 'Array(String)')})`
    if (whole.length === 0) return begins(given[0]!, at)(found)
    // Words hold no blanks: between blanks they follow each other in the text as they do in the array.
    return `position(concat(' ', arrayStringConcat(${found}, ' ')), ${at.b.bind(` ${given.join(' ')}`, 'String')}) > 0`
  })
  return withIndex(narrowTo(whole, whole.length, at), exact)
}

const begins =
  (text: string, { b }: At) =>
  (found: string): string =>
    `arrayExists(w -> startsWith(w, ${b.bind(text, 'String')}), ${found})`

/** Records with `least` of the words, as far as an index can decide: one of them, or all. */
function narrowTo(given: readonly string[], least: number, { surface, b }: At): string | undefined {
  const terms = surface.narrow?.terms
  const distinct = [...new Set(given)]
  // Terms leave out words that are too long.
  const indexed = distinct.filter((word) => Buffer.byteLength(word) <= MAX_TOKEN_BYTES)
  if (terms === undefined || least < 1 || indexed.length < distinct.length) return undefined
  if (least < distinct.length) return terms([...distinct, CUT], 'any', b)
  return distinct.length === 1
    ? terms([...distinct, CUT], 'any', b)
    : `(${terms(distinct, 'all', b)} OR ${terms([CUT], 'any', b)})`
}
