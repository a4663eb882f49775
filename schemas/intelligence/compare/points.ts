/** Addresses as numbers, and what a netmask means. */

import { parseIpv4 } from '../entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../entities/datatypes/ipv6.ts'
import { rangeOf } from '../propagation/range.ts'

/** An address as a number; `bits` is 32 or 128. */
export type Point = { bits: 32 | 128; at: bigint }

/** The address of a text, whatever range it is from; null for anything else. */
export function pointOf(text: string): Point | null {
  const short = parseIpv4(text)
  if (short >= 0) return { bits: 32, at: BigInt(short) }
  const long = text.includes(':') ? parseIpv6(text) : null
  const first = long === null ? undefined : rangeOf('ip', long)?.first
  return first === undefined ? null : { bits: 128, at: BigInt(typeof first === 'string' ? `0x${first}` : first) }
}

/** How many low bits of an address are 0, at most `most`. */
export function zeroBits(at: bigint, most: number): number {
  let n = 0
  while (n < most && ((at >> BigInt(n)) & 1n) === 0n) n++
  return n
}

/** The length of the prefix that a netmask means; null when its bits are not ones and then zeros. */
export function prefixOfMask({ bits, at }: Point): number | null {
  const free = zeroBits(at, bits)
  return at >> BigInt(free) === (1n << BigInt(bits - free)) - 1n ? bits - free : null
}

/** Whether an address is the first one of its network of that length. */
export const beginsNetwork = ({ bits, at }: Point, prefix: number): boolean => zeroBits(at, bits) >= bits - prefix
