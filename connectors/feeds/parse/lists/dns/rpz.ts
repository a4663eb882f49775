import { pointOf } from '../../../../../schemas/intelligence/compare/points.ts'
import { type FeedItem, type FeedOptions, indicator, rejected } from '../../item.ts'
import { NOTHING, type ParseLine } from '../line.ts'
import { nameItems, SINKHOLES, withoutWildcard } from './dns-names.ts'

/** Rules that are chosen by who asks or by the name servers of a name. */
const OTHER_TRIGGERS = /\.rpz-(?:client-ip|nsip|nsdname)$/i

/**
 * The network of a name below `rpz-ip`: the length of the prefix, then the parts of the address from the last to the
 * first; `zz` is `::`. Null when it is none.
 */
function addressOfOwner(owner: string): string | null {
  const [prefix = '', ...parts] = owner.toLowerCase().split('.').slice(0, -1)
  if (!/^\d{1,3}$/.test(prefix)) return null
  const isShort = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))
  const address = isShort
    ? parts.reverse().join('.')
    : parts
        .reverse()
        .join(':')
        .replace(/:?\bzz\b:?/, '::')
  const point = pointOf(address)
  return point === null || Number(prefix) > point.bits ? null : `${address}/${prefix}`
}

const RECORD = /^(\S+)\s+(?:\d+\w?\s+|IN\s+){0,2}([A-Z]+\d*)\s+(.+)$/i
/** Records that say what the zone is, and nothing of names to block. */
const OF_THE_ZONE = new Set(['SOA', 'NS'])
/** Targets of CNAME with which a name is not answered; `rpz-passthru.` lets it through, others lead elsewhere. */
const BLOCKING = new Set(['.', '*.', 'rpz-drop.'])

/** Most lines that one record in parentheses has. */
const MAX_CONTINUED = 20

/**
 * A response policy zone: names that are not answered (`CNAME .`, `CNAME *.`, `CNAME rpz-drop.`, an address that leads
 * nowhere) and addresses (`rpz-ip`). Rules that let through, lead elsewhere or are for clients and servers are refused.
 */
export function policyZone(options: FeedOptions): ParseLine {
  let origin: string | null = null
  let open = 0
  return (text, line) => {
    // A zone has no comment but after `;`.
    const content = text.split(';', 1)[0]!.trimEnd()
    if (content.trim() === '') return NOTHING
    if (open > 0) {
      open = content.includes(')') ? 0 : open - 1
      return NOTHING
    }
    const [, given] = /^\$ORIGIN\s+(\S+)$/i.exec(content) ?? []
    if (given !== undefined) origin = lower(given)
    if (given !== undefined || /^\$TTL\s/i.test(content)) return NOTHING
    const [, owner, type, data] = RECORD.exec(content) ?? []
    if (owner === undefined) return [rejected(line, 'not a record of a zone with a name, a type and data', text.trim())]
    const kind = type!.toUpperCase()
    if (OF_THE_ZONE.has(kind)) {
      if (kind === 'SOA' && owner.endsWith('.')) origin ??= lower(owner)
      if (data!.includes('(') && !data!.includes(')')) open = MAX_CONTINUED
      return NOTHING
    }
    const name = relativeTo(origin, owner)
    if (name === null) return [rejected(line, `the name is not inside of the zone ${origin ?? ''}`.trim(), text.trim())]
    return recordItems(line, name, kind, data!.trim(), text.trim(), options)
  }
}

const lower = (name: string): string => (name.endsWith('.') ? name : `${name}.`).toLowerCase()

/** The name inside of its zone; one that ends with a dot is whole. */
function relativeTo(origin: string | null, owner: string): string | null {
  if (!owner.endsWith('.')) return owner
  const end = `.${origin}`
  return origin !== null && owner.toLowerCase().endsWith(end) ? owner.slice(0, -end.length) : null
}

function recordItems(
  line: number,
  name: string,
  kind: string,
  data: string,
  raw: string,
  options: FeedOptions,
): readonly FeedItem[] {
  const isBlocked =
    kind === 'CNAME' ? BLOCKING.has(data.toLowerCase()) : /^A(?:AAA)?$/.test(kind) && SINKHOLES.has(data)
  if (!isBlocked) return [rejected(line, `${kind} ${data.slice(0, 80)} does not block the name`, raw)]
  if (OTHER_TRIGGERS.test(name)) return [rejected(line, 'a rule for clients or name servers', raw)]
  if (!/\.rpz-ip$/i.test(name)) return nameItems(line, [withoutWildcard(name)], raw, options)
  const network = addressOfOwner(name)
  return [network === null ? rejected(line, 'not an address of rpz-ip', raw) : indicator(line, network, options)]
}
