import { detect } from '../../../../schemas/intelligence/ingest/detect.ts'
import type { FeedItem } from '../item.ts'

/** Reads one line of a line-oriented format; nothing for a line without content (blank, comment, heading). */
export type ParseLine = (text: string, line: number) => readonly FeedItem[]

export const NOTHING: readonly FeedItem[] = []

export const isComment = (text: string): boolean => text.startsWith('#') || text.startsWith(';')

/** Kinds after whose values a `#` without a blank begins a comment; in all others it may be a part of the value. */
const BEFORE_SIGN = new Set(['ip', 'cidr', 'domain', 'hostname'])

/**
 * A line without the comment at its end.
 * @param spaced a comment sign has a blank on both sides: in free text it may be the beginning of a word
 */
export function withoutComment(text: string, spaced = false): string {
  const at = text.search(spaced ? /\s[#;](?:\s|$)/ : /\s[#;]/)
  const content = at === -1 ? text : text.slice(0, at).trimEnd()
  const sign = spaced ? -1 : content.indexOf('#')
  // `##`, `#@#` and the like are signs of a filter list.
  if (sign <= 0 || /[#@?$%]/.test(content[sign + 1] ?? '')) return content
  const before = content.slice(0, sign)
  return BEFORE_SIGN.has(detect(before)?.type ?? '') ? before : content
}
