import { datatypeOf } from '../entities/catalogue.ts'

/** The words under which a history record is found (decisions 5.4; ADR 272). */

/** Most terms of one record. */
export const MAX_TERMS = 512
/** Longest word, in UTF-8 bytes; longer runs are found by their whole value only. */
export const MAX_TOKEN_BYTES = 256

/**
 * Stands last among terms that lack a word, which was too long or one too many. No query is ever this text: it holds a
 * control character, which normal forms do not.
 */
export const CUT = '\u0001cut'

/** Marks belong to the letter in front of them: without them, words of Indic scripts fall apart. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu

const isText = (type: string): boolean => (datatypeOf(type)?.words ?? null) !== null

/** The words of a text in lower case, in order, repeats included; at most `most`. */
export function words(text: string, most: number): string[] {
  const found: string[] = []
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (found.length >= most) break
    found.push(word)
  }
  return found
}

/** Adds words until there are `max`; false when one had to be left out. */
function addTokens(into: Set<string>, lower: string, max: number): boolean {
  let whole = true
  for (const [word] of lower.matchAll(WORD)) {
    if (word.length * 3 > MAX_TOKEN_BYTES && Buffer.byteLength(word) > MAX_TOKEN_BYTES) whole = false
    else if (into.size < max) into.add(word)
    else if (!into.has(word)) return false
  }
  return whole
}

/** The distinct words of a text in lower case, in order, at most `MAX_TERMS`. */
export function tokens(text: string): string[] {
  const words = new Set<string>()
  addTokens(words, text.toLowerCase(), MAX_TERMS)
  return [...words]
}

/**
 * The terms of a record: its main value and attribute values whole, then the words of those that are text; lower-cased,
 * distinct, at most `MAX_TERMS`. Whole values come first, so an exact search never loses to a long text. `CUT` is the
 * last when a word is missing.
 */
export function terms(type: string, value: string, attributes: Readonly<Record<string, string>>): string[] {
  const main = value.toLowerCase()
  const names = Object.keys(attributes)
  if (names.length === 0 && !isText(type)) return [main]
  const found = new Set([main])
  const texts = isText(type) ? [main] : []
  for (const name of names) {
    if (found.size >= MAX_TERMS) break
    const lower = (attributes[name] as string).toLowerCase()
    found.add(lower)
    if (isText(name)) texts.push(lower)
  }
  let whole = true
  for (const text of texts) whole = addTokens(found, text, MAX_TERMS - 1) && whole
  return whole ? [...found] : [...found, CUT]
}
