import { formatIpv4, parseIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../../../../schemas/intelligence/entities/datatypes/ipv6.ts'
import { rangeOf } from '../../../../schemas/intelligence/propagation/range.ts'
import type { Named } from '../entity.ts'

/** An address as a number; `bits` is 32 or 128. */
export type Point = { bits: 32 | 128; at: bigint }

/**
 * Most networks that one range becomes (ADR 255). The usable addresses of a /24 (`.1` to `.254`) are 14; what needs more
 * was not meant as networks.
 */
export const MAX_NETWORKS = 16

/** The address of a text, whatever range it is from; null for anything else. */
export function pointOf(text: string): Point | null {
  const short = parseIpv4(text)
  if (short >= 0) return { bits: 32, at: BigInt(short) }
  const long = text.includes(':') ? parseIpv6(text) : null
  const first = long === null ? undefined : rangeOf('ip', long)?.first
  return first === undefined ? null : { bits: 128, at: BigInt(typeof first === 'string' ? `0x${first}` : first) }
}

/** The address of a number in its normal form. */
function addressOf({ bits, at }: Point): string {
  if (bits === 32) return formatIpv4(Number(at))
  const groups = at.toString(16).padStart(32, '0').match(/.{4}/g)!
  return parseIpv6(groups.join(':'))!
}

/** How many low bits of an address are 0, at most `most`. */
function zeroBits(at: bigint, most: number): number {
  let n = 0
  while (n < most && ((at >> BigInt(n)) & 1n) === 0n) n++
  return n
}

/**
 * The whole networks from one address to another, both included, in order; a single address is an `ip`. Null when they are
 * more than `MAX_NETWORKS`.
 */
export function networksBetween(first: Point, last: Point): Named[] | null {
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

/** The length of the prefix that a netmask means; null when its bits are not ones and then zeros. */
export function prefixOfMask({ bits, at }: Point): number | null {
  const free = zeroBits(at, bits)
  return at >> BigInt(free) === (1n << BigInt(bits - free)) - 1n ? bits - free : null
}

/** Whether an address is the first one of its network of that length. */
export const beginsNetwork = ({ bits, at }: Point, prefix: number): boolean => zeroBits(at, bits) >= bits - prefix
