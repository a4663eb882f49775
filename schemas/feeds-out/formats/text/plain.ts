/** What a line of text can hold so that every reader takes it for the value that was meant. */

/**
 * Control characters, line ends of Unicode, signs that turn the direction of writing, invisible tags and the mark of a
 * byte order: a reader ends the line there, drops the character, or shows another text than the one that is compared.
 */
const DECEIVING =
  /[\p{Cc}\p{Zl}\p{Zp}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/u

/** Whether a text has such a character. */
export const isDeceiving = (text: string): boolean => DECEIVING.test(text)

/** Whether a text is one line as it stands: not empty, no space at its ends, nothing that ends or distorts it. */
export const isOneLine = (text: string): boolean => text !== '' && text.trim() === text && !isDeceiving(text)
