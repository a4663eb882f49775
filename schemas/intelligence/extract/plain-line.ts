/** The line that was meant by one that is defanged, or escaped as JSON. */

import { DOT, withoutMarks } from '../ingest/refang.ts'

/** A line of JSON: its first sign opens a value, or it is a member of one that was printed on many lines. */
const JSON_START = /^[ \t]{0,64}(?:[[{]|"[^"\\]{1,128}"[ \t]?:)/
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/gi

/** Characters that are not seen, and hyphens that only look different: text out of PDF and web pages. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const HYPHENS = /[\u2010\u2011]/g

function unescaped(written: string): string {
  const sign = written[1]!
  if (sign === 'u') return String.fromCharCode(Number.parseInt(written.slice(2), 16))
  return '"\\/'.includes(sign) ? sign : ' '
}

/** Reads marks as `refang` does, anywhere in a line, and keeps `DOT` for each dot that was defanged. */
export function plainLine(line: string): string {
  let text = line.replaceAll(DOT, ' ')
  if (text.includes('\\') && JSON_START.test(text)) text = text.replace(JSON_ESCAPE, unescaped).replaceAll(DOT, ' ')
  text = text.replace(UNSEEN, '').replace(HYPHENS, '-')
  return withoutMarks(text)
}
