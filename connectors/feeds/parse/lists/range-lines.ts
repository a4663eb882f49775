import { pointOf } from '../../../../schemas/intelligence/compare/points.ts'
import { refang } from '../../../../schemas/intelligence/ingest/refang.ts'
import { type FeedItem, type FeedOptions, indicator, rejected } from '../item.ts'
import { type Extent, extentBetween, readExtent } from './extent.ts'
import { isComment, NOTHING, type ParseLine, withoutComment } from './line.ts'
import { valueItems, withoutLabel } from './value.ts'

/**
 * A list of ranges of addresses, as whole networks: `start-end`, `label:start-end` (P2P), `start end` with blanks, tabs or a
 * comma between, and in the columns after these the length of the prefix, which has to agree, and what is not read here
 * (DShield). Addresses, networks and netmasks are read as in a plain list.
 */
export const rangeList =
  (options: FeedOptions): ParseLine =>
  (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || isComment(trimmed)) return NOTHING
    const content = withoutComment(trimmed)
    const extent = readExtent(withoutLabel(content)) ?? columnsOf(content) ?? labelled(content)
    if (extent === null) return plainly(line, content, trimmed, options)
    if (!extent.ok) return [rejected(line, extent.fault, trimmed)]
    return extent.networks.map(({ value }) => indicator(line, value, options))
  }

/** `start end`, and in a third column the length of the prefix. */
function columnsOf(text: string): Extent | null {
  const [start = '', end = '', prefix = ''] = text
    .split(text.includes('\t') ? /\t/ : /[\s,]+/)
    .map((cell) => cell.trim())
  const first = pointOf(refang(start))
  const last = pointOf(refang(end))
  if (first === null || last === null) return null
  const extent = extentBetween(first, last)
  if (!extent.ok || !/^\d{1,3}$/.test(prefix) || !text.includes('\t')) return extent
  const [network, ...others] = extent.networks
  const agrees = others.length === 0 && Number(prefix) === prefixOf(network!.value, first.bits)
  return agrees ? extent : { ok: false, fault: `the range is not a network of the prefix length ${prefix} next to it` }
}

const prefixOf = (value: string, bits: number): number => (value.includes('/') ? Number(value.split('/')[1]) : bits)

/** The range after the last colon of a line of IPv4; the label before it may have colons too. */
function labelled(text: string): Extent | null {
  const colon = text.lastIndexOf(':')
  return colon === -1 ? null : readExtent(text.slice(colon + 1).trim())
}

function plainly(line: number, content: string, raw: string, options: FeedOptions): FeedItem[] {
  const items = valueItems(line, content, options)
  const isAddress = items.every(
    (item) => 'entity' in item && (item.entity.type === 'ip' || item.entity.type === 'cidr'),
  )
  return isAddress ? items : [rejected(line, 'not a range, an address or a network', raw)]
}
