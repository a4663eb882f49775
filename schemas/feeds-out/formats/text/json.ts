/** What JSON allows inside of a text and readers stumble over, or show as another text. */
const ESCAPED = /[\u{7f}-\u{9f}\u{61c}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/gu

const escapeOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** JSON on one line, in which no character deceives: equal to what was given once it is read. */
export const json = (value: unknown): string => JSON.stringify(value).replace(ESCAPED, escapeOf)
