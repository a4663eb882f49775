import type { FeedFormat, FeedItem } from '../format.ts'
import { streamed } from '../writer.ts'
import { notRun } from './formula.ts'
import { instant } from './instant.ts'

const COLUMNS = 'id,type,value,reputation,accuracy,tags,firstSeen,lastSeen'

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/
/** RFC 4180 has no way to write them, and readers end a field or a file there. */
const UNWRITABLE = /(?![\t\r\n])\p{Cc}/u

/** Cells that no rule below is about: most addresses, names and digests. */
const PLAIN = /^[\w.:/][\w.:/@-]*$/

/** A text of others as a cell. */
function cell(text: string): string {
  if (PLAIN.test(text)) return text
  const guarded = notRun(text)
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

function row({ entityId, type, value, reputation, accuracy, tags, firstSeen, lastSeen }: FeedItem): string | null {
  const joined = tags.join(' ')
  if (UNWRITABLE.test(value) || UNWRITABLE.test(joined)) return null
  const texts = [cell(entityId), cell(type), cell(value)]
  return `${texts},${reputation},${accuracy},${cell(joined)},${instant(firstSeen)},${instant(lastSeen)}\r\n`
}

/** RFC 4180 with a header (decisions 11.6). A value with control characters other than tab and line ends is left out. */
export const csv: FeedFormat = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  readBy: 'the csv module of Python',
  types: 'any',
  write: streamed('any', () => ({ begin: `${COLUMNS}\r\n`, say: row })),
}
