import { beginsNetwork, pointOf } from '../../../../schemas/intelligence/compare/points.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { causeOf, lookOf, MORE_WORDS } from './cause.ts'
import { hostsLine, isHostsLine } from './dns/hosts.ts'
import { readExtent } from './extent.ts'
import { isComment, NOTHING, type ParseLine, withoutComment } from './line.ts'
import { isOpen, isText, unquoted, valueItems, withoutLabel } from './value.ts'

/**
 * A plain list: one value a line. A line is understood whole, or refused (ADR 255). Beside its value it may have a comment
 * after `#` or `;`, a label in brackets, or a number (how many lists have it); further words are tags where that is said.
 * Lines of a hosts file (`0.0.0.0 name`) give their names.
 */
export function plainList(options: FeedOptions & { trailingTags?: boolean }): ParseLine {
  const { type, trailingTags = false } = options
  const whole = isText(type) && !trailingTags
  return (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || isComment(trimmed)) return NOTHING
    const content = withoutComment(trimmed, whole)
    if (whole) return valueItems(line, content, options)
    const value = content.endsWith(',') ? content.slice(0, -1).trimEnd() : content
    const gap = value.search(/\s/)
    if (gap === -1) return valueItems(line, value, options)
    const first = value.slice(0, gap)
    const rest = value.slice(gap).trim()
    const refuse = (why: string): FeedItem[] => [rejected(line, why, trimmed)]
    if (!trailingTags && /^\d{1,9}$/.test(rest) && !isOpen(first)) {
      const why = ambiguous(first, Number(rest))
      return why === null ? valueItems(line, first, options) : refuse(why)
    }
    if (type === undefined && isHostsLine(value)) return hostsLine(line, value, options, trailingTags)
    const isOne = readExtent(withoutLabel(value)) !== null
    if (!isOne && trailingTags) return withTags(line, first, rest, trimmed, options)
    if (isOne || withoutLabel(value).length === gap || unquoted(value) !== value)
      return valueItems(line, value, options)
    return refuse(beyond(first, rest))
  }
}

/** Words that are no tags: with them the line says something else than its first word. */
const NO_TAG = /^(?:[-–]|\/\d{1,3})$/

function withTags(line: number, first: string, rest: string, raw: string, options: FeedOptions): readonly FeedItem[] {
  const tags = rest.split(/[\s,]+/).filter((word) => word !== '')
  const other = tags.find((word) => NO_TAG.test(word) || pointOf(word) !== null)
  return other === undefined
    ? valueItems(line, first, options, { tags })
    : [rejected(line, `"${other}" after the value is no tag`, raw)]
}

/** A number after an address is how many lists have it, unless it may be the length of a prefix. */
function ambiguous(first: string, number: number): string | null {
  const point = pointOf(first)
  return point !== null && number >= 8 && number < point.bits && beginsNetwork(point, number)
    ? `"${number}" after the address may be a count or the length of a prefix; write ${first}/${number} for the network`
    : null
}

/** Longest part of a line that a reason repeats, in characters. */
const MAX_SHOWN = 60

/** Why a line is refused that has more than its value, and of which its first word alone would be read. */
function beyond(first: string, rest: string): string {
  const look = lookOf(`${first} ${rest}`)
  if (look !== null && look !== MORE_WORDS) return causeOf(`${first} ${rest}`)
  const shown = rest.length > MAX_SHOWN ? `${rest.slice(0, MAX_SHOWN)}…` : rest
  const isRange = pointOf(first) !== null && pointOf(rest.split(/\s/)[0]!) !== null
  const how = isRange
    ? '--format ranges reads start and end'
    : '--trailing-tags takes it as tags, --format tsv as columns'
  return `"${shown}" after the value is neither a comment (# or ;) nor a label in brackets; ${how}`
}
