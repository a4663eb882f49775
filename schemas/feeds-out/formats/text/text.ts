import type { FeedFormat, FeedItem } from '../format.ts'
import { streamed } from '../writer.ts'
import { instant } from './instant.ts'
import { jsonText, jsonTexts } from './json.ts'

const line = ({ entityId, type, value, reputation, accuracy, tags, firstSeen, lastSeen }: FeedItem): string =>
  `{"id":${jsonText(entityId)},"type":${jsonText(type)},"value":${jsonText(value)}` +
  `,"reputation":${reputation},"accuracy":${accuracy},"tags":${jsonTexts(tags)}` +
  `,"firstSeen":"${instant(firstSeen)}","lastSeen":"${instant(lastSeen)}"}\n`

/** One JSON object a line, with all fields (decisions 11.6). Carries every value. */
export const ndjson: FeedFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  extension: 'ndjson',
  readBy: 'the json module of Python',
  types: 'any',
  write: streamed('any', () => ({ say: line })),
}

// What a line of text can hold so that every reader takes it for the value that was meant.

/**
 * Control characters, line ends of Unicode, signs that turn the direction of writing, invisible tags and the mark of a
 * byte order: a reader ends the line there, drops the character, or shows another text than the one that is compared.
 */
const DECEIVING =
  /[\p{Cc}\p{Zl}\p{Zp}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{e0000}-\u{e007f}]/u

/** Whether a text has such a character. */
export const isDeceiving = (text: string): boolean => DECEIVING.test(text)

/** Whether a text is one line as it stands: not empty, no space at its ends, nothing that ends or distorts it. */
const isOneLine = (text: string): boolean => text !== '' && text.trim() === text && !isDeceiving(text)

/** Read as a comment by most readers of lists, or as a formula where the list is opened as a table. */
const MISREAD = /^[#=]/

/** One value a line (decisions 11.6). What is no line, or begins with `#` or `=`, is left out. */
export const text: FeedFormat = {
  name: 'text',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: 'str.splitlines of Python',
  types: 'any',
  write: streamed('any', () => ({
    say: ({ value }) => (isOneLine(value) && !MISREAD.test(value) ? `${value}\n` : null),
  })),
}
