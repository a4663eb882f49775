import ipaddr from 'ipaddr.js'
import { cidr } from '../../../intelligence/entities/datatypes/cidr.ts'
import { ip } from '../../../intelligence/entities/datatypes/ip.ts'
import { parseIpv4 } from '../../../intelligence/entities/datatypes/ipv4.ts'
import type { FeedItem } from '../format.ts'

/** Types whose values are addresses and networks. */
export const ADDRESS_TYPES: readonly string[] = ['ip', 'cidr']

/** 128 bits in four numbers, the highest first. An IPv4 address is the IPv4-mapped IPv6 address. */
export type Words = readonly [number, number, number, number]

/** `bits` of 0 to 128 in both families: an IPv4 network of /24 has 120. */
export type Network = { family: 4 | 6; words: Words; bits: number }

/** IPv4 addresses are the last 32 bits of ::ffff:0:0/96. */
export const MAPPED_BITS = 96
const MAPPED_WORD = 0xffff

/**
 * Shortest prefixes that a device may get. Nobody has a wider network: IANA gives out /8 and /12. Such an item is an
 * error or an attack, and would block a large part of the internet.
 */
const WIDEST = { 4: 8, 6: 12 } as const

/**
 * Addresses that the receiver's own network needs (private, link-local, broadcast). The normal form refuses networks
 * that begin inside of these ranges; here are their beginnings, for networks that contain them.
 */
const OWN_IPV4 = ['169.254.0.0', '172.16.0.0', '192.168.0.0', '255.255.255.255'].map(parseIpv4)

/**
 * The network of an item for a device that blocks it, an address being the smallest one. Null for other texts than the
 * normal form of a public address or network, for networks that are too wide, and for those that contain addresses of
 * the receiver's own network.
 */
export function blockable({ type, value }: FeedItem): Network | null {
  if (type !== 'ip' && type !== 'cidr') return null
  if ((type === 'ip' ? ip(value) : cidr(value)) !== value) return null
  const network = networkOf(value)
  return isHarmful(network) ? null : network
}

/** The network that a text in normal form names. */
function networkOf(text: string): Network {
  const slash = text.indexOf('/')
  const address = slash < 0 ? text : text.slice(0, slash)
  const length = slash < 0 ? null : Number(text.slice(slash + 1))
  const short = parseIpv4(address)
  if (short >= 0) return { family: 4, words: [0, 0, MAPPED_WORD, short], bits: MAPPED_BITS + (length ?? 32) }
  const [a, b, c, d, e, f, g, h] = ipaddr.IPv6.parse(address).parts as Parts
  return { family: 6, words: [word(a, b), word(c, d), word(e, f), word(g, h)], bits: length ?? 128 }
}

type Parts = [number, number, number, number, number, number, number, number]

const word = (high: number, low: number): number => ((high << 16) | low) >>> 0

function isHarmful({ family, words, bits }: Network): boolean {
  if (family === 6) {
    // ::/64 has the unspecified address, loopback, and all forms that stand for IPv4 ones. The other ranges of the
    // receiver are wider than the widest network that is listed, so a network with addresses of them begins inside.
    return bits < WIDEST[6] || (words[0] === 0 && words[1] === 0)
  }
  const mask = maskOf(bits, 3)
  return bits - MAPPED_BITS < WIDEST[4] || OWN_IPV4.some((own) => (own & mask) >>> 0 === words[3])
}

/** The bits of word `at` (0 to 3) that belong to a prefix, as a signed number. */
export function maskOf(bits: number, at: number): number {
  const inWord = Math.min(Math.max(bits - at * 32, 0), 32)
  // Shifting by 32 is shifting by 0 in JavaScript.
  return inWord === 0 ? 0 : -1 << (32 - inWord)
}
