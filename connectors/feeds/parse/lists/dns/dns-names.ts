import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'
import { type FeedItem, type FeedOptions, indicator, rejected } from '../../item.ts'
import type { ParseLine } from '../line.ts'

/** Addresses that unwanted names are sent to; no list has them as indicators. */
export const SINKHOLES = new Set(['0', '0.0.0.0', '127.0.0.1', '::', '::0', '::1'])

/** Names that mean this machine or its network: the usual first lines of a hosts file. */
const LOCAL = new Set(['local', 'localdomain', 'broadcasthost', '0.0.0.0', '::1'])
const LOCAL_FORM = /^(?:localhost[46]?(?:\.localdomain[46]?)?|ip6-(?:localhost|loopback|localnet|mcastprefix|all\w+))$/i

export const isLocalName = (name: string): boolean => LOCAL.has(name.toLowerCase()) || LOCAL_FORM.test(name)

/** Most names of one line. */
const MAX_NAMES = 256

/** An indicator for each name; the whole line is refused when one of them is no name. */
export function nameItems(
  line: number,
  names: readonly string[],
  raw: string,
  options: FeedOptions,
  tags: string[] = [],
): FeedItem[] {
  if (names.length > MAX_NAMES) return [rejected(line, `more than ${MAX_NAMES} names in one line`, raw)]
  const wrong = names.find((name) => !isName(name))
  if (wrong !== undefined) return [rejected(line, `"${wrong.slice(0, MAX_NAMES)}" is not a domain name`, raw)]
  return names.map((name) => indicator(line, name, options, { tags }))
}

function isName(text: string): boolean {
  const found = detect(text)
  return found !== null && found.attributes === undefined && (found.type === 'domain' || found.type === 'hostname')
}

/** A name that is written with all names below it (`*.x`, `.x`) means itself. */
export const withoutWildcard = (name: string): string => name.replace(/^\*?\./, '')

/** How many entities a reader remembers. */
const REMEMBERED = 100_000

/**
 * A reader that states each entity once: zones name `x` and `*.x`, and lists for two families of addresses each name
 * twice. It remembers the last 100,000.
 */
export function eachOnce(parse: ParseLine): ParseLine {
  const known = new Set<string>()
  const isNew = (item: FeedItem): boolean => {
    if (!('entity' in item)) return true
    const { type, attributes } = item.entity
    const key = `${type} ${attributes[type]}`
    if (known.has(key)) return false
    known.add(key)
    if (known.size > REMEMBERED) known.delete(known.values().next().value!)
    return true
  }
  return (text, line) => parse(text, line).filter(isNew)
}
