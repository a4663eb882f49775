import {
  beginsNetwork,
  type Point,
  pointOf,
  prefixOfMask,
  zeroBits,
} from '../../../../schemas/intelligence/compare/points.ts'
import { formatIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../../../../schemas/intelligence/entities/datatypes/ipv6.ts'
import { refang } from '../../../../schemas/intelligence/ingest/refang.ts'
import { addressOrBlock, type Named } from '../entity.ts'

/**
 * Most networks that one range becomes (ADR 255). The usable addresses of a /24 (`.1` to `.254`) are 14; what needs more
 * was not meant as networks.
 */
const MAX_NETWORKS = 16

/** The address of a number in its normal form. */
function addressOf({ bits, at }: Point): string {
  if (bits === 32) return formatIpv4(Number(at))
  const groups = at.toString(16).padStart(32, '0').match(/.{4}/g)!
  return parseIpv6(groups.join(':'))!
}

/**
 * The whole networks from one address to another, both included, in order; a single address is an `ip`. Null when they are
 * more than `MAX_NETWORKS`.
 */
function networksBetween(first: Point, last: Point): Named[] | null {
  const { bits } = first
  const networks: Named[] = []
  for (let at = first.at; at <= last.at; ) {
    if (networks.length === MAX_NETWORKS) return null
    let free = zeroBits(at, bits)
    while (at + (1n << BigInt(free)) - 1n > last.at) free--
    const address = addressOf({ bits, at })
    networks.push(free === 0 ? { type: 'ip', value: address } : { type: 'cidr', value: `${address}/${bits - free}` })
    at += 1n << BigInt(free)
  }
  return networks
}

/** The networks of a text that names several addresses at once, or why it cannot be used. */
export type Extent = { ok: true; networks: Named[] } | { ok: false; fault: string }

const fault = (text: string): Extent => ({ ok: false, fault: text })

/** Longest text that is looked at: two addresses of IPv6, defanged, and what is between them. */
const MAX_TEXT = 256

const FROM_TO = /^(\S+?)\s?[-–]\s?(\S+)$/
const WITH_MASK = /^([^\s/]+)(?:\/|\s+)([^\s/]+)$/
const WITH_PREFIX = /^([^\s/]+)\s+\/\s?(\d{1,3})$/

/**
 * A range (`a-b`, `a - b`), a network with its netmask (`net/mask`, `net mask`) or with its prefix apart (`net /26`), as
 * networks; null when the text is none of these (ADR 255). Two addresses side by side are no range here.
 */
export function readExtent(raw: string): Extent | null {
  // Nearly all values end here: what begins with no digit and has no colon is no address.
  if (raw.length > MAX_TEXT || !(isDigit(raw) || raw.includes(':')) || raw.includes('://')) return null
  if (!/[-–\s/]/.test(raw)) return null
  const text = raw.replaceAll(/\s+/g, ' ')
  return fromTo(text) ?? withPrefix(text) ?? withMask(text)
}

const isDigit = (text: string): boolean => text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57

/** Both ends, where both are addresses. */
function ends(match: RegExpExecArray | null): { first: Point; last: Point } | null {
  const first = match === null ? null : pointOf(refang(match[1]!))
  const last = first === null ? null : pointOf(refang(match![2]!))
  return first === null || last === null ? null : { first, last }
}

function fromTo(text: string): Extent | null {
  const found = ends(FROM_TO.exec(text))
  return found === null ? null : extentBetween(found.first, found.last)
}

/** The networks from one address to another, or why they cannot be used. */
export function extentBetween(first: Point, last: Point): Extent {
  if (first.bits !== last.bits) return fault('a range from IPv4 to IPv6')
  if (first.at > last.at) return fault('the range ends before it begins')
  const networks = networksBetween(first, last)
  return networks === null ? fault(`the range is more than ${MAX_NETWORKS} whole networks`) : { ok: true, networks }
}

function withPrefix(text: string): Extent | null {
  const [, written, prefix] = WITH_PREFIX.exec(text) ?? []
  const address = written === undefined ? null : refang(written)
  const point = address === null ? null : pointOf(address)
  if (point === null) return null
  if (Number(prefix) > point.bits)
    return fault(`no network of IPv${point.bits === 32 ? 4 : 6} has the prefix /${prefix}`)
  return { ok: true, networks: [addressOrBlock(`${address}/${Number(prefix)}`)] }
}

function withMask(text: string): Extent | null {
  const match = WITH_MASK.exec(text)
  const found = ends(match)
  if (found === null) return null
  const [, network, mask] = match!
  const prefix = found.first.bits === found.last.bits ? prefixOfMask(found.last) : null
  // A zero mask is an address of its own, and two addresses side by side may be anything.
  if (prefix === null || prefix === 0) return text.includes('/') ? fault(`${mask} is not a netmask`) : null
  if (!beginsNetwork(found.first, prefix)) return fault(`${network} is not the first address of a network of ${mask}`)
  return { ok: true, networks: [addressOrBlock(`${refang(network!)}/${prefix}`)] }
}
