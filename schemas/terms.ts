import { definitionOf } from './entities/catalogue.ts'

/** The words under which a history record is found by simple search (decisions 5.4). */

/** Most terms of one record. */
export const MAX_TERMS = 512
/** Longest word, in UTF-8 bytes; longer runs are found by their whole value only. */
export const MAX_TOKEN_BYTES = 256

/** Marks belong to the letter in front of them: without them, words of Indic scripts fall apart. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu

const TEXT = new Set(['String', 'Case-sensitive string'])
const isText = (type: string): boolean => TEXT.has(definitionOf(type)?.dataType ?? '')

function addTokens(into: Set<string>, lower: string): void {
  for (const [word] of lower.matchAll(WORD)) {
    if (into.size >= MAX_TERMS) return
    if (word.length * 3 <= MAX_TOKEN_BYTES || Buffer.byteLength(word) <= MAX_TOKEN_BYTES) into.add(word)
  }
}

/** The distinct words of a text in lower case, in order, at most `MAX_TERMS`. */
export function tokens(text: string): string[] {
  const words = new Set<string>()
  addTokens(words, text.toLowerCase())
  return [...words]
}

/**
 * The terms of a record: its main value and attribute values whole, then the words of those that are text; lower-cased,
 * distinct, at most `MAX_TERMS`. Whole values come first, so an exact search never loses to a long text.
 */
export function terms(type: string, value: string, attributes: Readonly<Record<string, string>>): string[] {
  const main = value.toLowerCase()
  const found = new Set([main])
  const texts = isText(type) ? [main] : []
  for (const name of Object.keys(attributes)) {
    if (found.size >= MAX_TERMS) break
    const lower = (attributes[name] as string).toLowerCase()
    found.add(lower)
    if (isText(name)) texts.push(lower)
  }
  for (const text of texts) addTokens(found, text)
  return [...found]
}
