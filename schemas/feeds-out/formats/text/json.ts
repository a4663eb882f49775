/** What JSON allows inside of a text and readers stumble over, or show as another text. */
const ESCAPED = /[\u{7f}-\u{9f}\u{61c}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/gu

/** Texts that JSON writes as they stand: most addresses, names and digests. */
const AS_IT_STANDS = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** What `JSON.stringify` wrote, without a character that deceives: equal to what was given once it is read. */
export const undeceiving = (written: string): string => written.replace(ESCAPED, escapeOf)

/** JSON on one line, in which no character deceives: equal to what was given once it is read. */
export const json = (value: unknown): string => undeceiving(JSON.stringify(value))

/**
 * As `json`, for lines that are put together of their parts: a whole object for each of a million items takes three
 * times as long.
 */
export const jsonText = (text: string): string => (AS_IT_STANDS.test(text) ? `"${text}"` : json(text))

/** As `jsonText`, for a list of texts. */
export const jsonTexts = (texts: readonly string[]): string => `[${texts.map(jsonText).join(',')}]`
