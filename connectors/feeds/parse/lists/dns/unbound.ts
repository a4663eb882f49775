import { type FeedItem, type FeedOptions, rejected } from '../../item.ts'
import { isComment, NOTHING, type ParseLine, withoutComment } from '../line.ts'
import { nameItems, SINKHOLES, withoutWildcard } from './dns-names.ts'

const DIRECTIVE = /^(address|local|server)=\/(.+)\/([^/\s]*)$/

/**
 * Configuration of dnsmasq: names that have no address (`address=/name/` with nothing, `#` or a sinkhole) or no server
 * (`local=/name/`, `server=/name/`). Everything else is refused.
 */
export const dnsmasqList =
  (options: FeedOptions): ParseLine =>
  (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || isComment(trimmed)) return NOTHING
    return directive(line, withoutComment(trimmed), options)
  }

function directive(line: number, text: string, options: FeedOptions): readonly FeedItem[] {
  const [, word, names, target] = DIRECTIVE.exec(text) ?? []
  if (names === undefined || target === undefined)
    return [rejected(line, 'not address=/name/, local=/name/ or server=/name/ of dnsmasq', text)]
  const isBlocked = target === '' || (word === 'address' && (target === '#' || SINKHOLES.has(target)))
  if (!isBlocked) return [rejected(line, `leads to ${target}: the name is not blocked`, text)]
  return nameItems(line, names.split('/').map(withoutWildcard), text, options)
}

/** Types of a local zone with which its names are not answered. */
const BLOCKING = new Set(
  ['always_deny', 'always_nodata', 'always_null', 'always_nxdomain', 'always_refuse', 'deny', 'inform_deny'].concat(
    ['inform_redirect', 'redirect', 'refuse', 'static'], // what redirects has its address in local-data
  ),
)

const ZONE = /^local-zone:\s*(["']?)([^\s"']+)\1\s+["']?(\w+)["']?$/
const DATA = /^local-data:\s*(["'])(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?:A|AAAA)\s+(\S+)\1$/i

/**
 * Configuration of Unbound: names of local zones that are not answered, and of local data that lead to no address.
 * Everything else is refused.
 */
export const unboundList =
  (options: FeedOptions): ParseLine =>
  (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || isComment(trimmed) || trimmed === 'server:') return NOTHING
    return statement(line, withoutComment(trimmed), options)
  }

function statement(line: number, text: string, options: FeedOptions): readonly FeedItem[] {
  const [, , zone, kind] = ZONE.exec(text) ?? []
  if (zone !== undefined) {
    if (!BLOCKING.has(kind!)) return [rejected(line, `a local zone of the type ${kind} blocks nothing`, text)]
    return nameItems(line, [zone], text, options)
  }
  const [, , name, address] = DATA.exec(text) ?? []
  if (name === undefined) return [rejected(line, 'not local-zone or local-data with an address, of Unbound', text)]
  if (!SINKHOLES.has(address!)) return [rejected(line, `leads to ${address}: the name is not blocked`, text)]
  return nameItems(line, [name], text, options)
}
