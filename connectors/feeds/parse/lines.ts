import { type FeedItem, type FeedOptions, indicator } from './item.ts'

/** Reads one line of a line-oriented format; null for a line without content (blank, comment, heading). */
export type ParseLine = (text: string, line: number) => FeedItem | null

/**
 * A plain list: one indicator a line, `#` and `;` begin a comment, what follows the indicator after white space is
 * ignored or taken as tags. Lines of a hosts file (`0.0.0.0 name`) give the name.
 */
export function plainList(options: FeedOptions & { trailingTags?: boolean }): ParseLine {
  return (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || isComment(trimmed)) return null
    const gap = trimmed.search(/\s/)
    if (gap === -1) return indicator(line, trimmed, options)
    const first = trimmed.slice(0, gap)
    const others = trailing(trimmed.slice(gap))
    const sinkhole = SINKHOLES.has(first) && others.length > 0
    const tags = options.trailingTags ? others.slice(sinkhole ? 1 : 0) : []
    return indicator(line, sinkhole ? others[0]! : first, options, { tags })
  }
}

/** Addresses that a hosts file sends unwanted names to; no feed lists them as indicators. */
const SINKHOLES = new Set(['0.0.0.0', '127.0.0.1', '::', '::1'])

const isComment = (text: string): boolean => text.startsWith('#') || text.startsWith(';')

/** The words after the indicator, up to a comment. */
function trailing(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const comment = words.findIndex(isComment)
  return comment === -1 ? words : words.slice(0, comment)
}
