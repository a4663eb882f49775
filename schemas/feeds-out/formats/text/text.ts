import type { FeedFormat } from '../format.ts'
import { streamed } from '../writer.ts'
import { isOneLine } from './plain.ts'

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
