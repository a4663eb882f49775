import { beginsNetwork, type Point, pointOf, prefixOfMask } from '../../../../schemas/intelligence/compare/points.ts'
import { refang } from '../../../../schemas/intelligence/ingest/refang.ts'
import { addressOrBlock, type Named } from '../entity.ts'
import { MAX_NETWORKS, networksBetween } from './networks.ts'

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
