import { parseIpv4 } from '../entities/datatypes/ipv4.ts'

/** An address in an order: IPv4 as a number, IPv6 as 32 hexadecimal digits. Never compared across families. */
type Point = number | string

/** The addresses of an entity of type ip or cidr, first and last included. */
export type Range = { family: 4 | 6; first: Point; last: Point }

const DIGITS = 32

/** The 32 digits of an IPv6 address in its normal form (RFC 5952, no dotted part). */
function digitsOf(text: string): string {
  const gap = text.indexOf('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const left = groups(gap < 0 ? text : text.slice(0, gap))
  const right = gap < 0 ? [] : groups(text.slice(gap + 2))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('')
}

/** The last address of a network: its first one with every host bit set. */
function lastDigits(first: string, bits: number): string {
  const whole = bits >> 2
  if (whole === DIGITS) return first
  const half = Number.parseInt(first[whole]!, 16) | (0xf >> (bits & 3))
  return first.slice(0, whole) + half.toString(16) + 'f'.repeat(DIGITS - whole - 1)
}

/** Where a value in its normal form stands among the addresses; null for any type but ip and cidr. */
export function rangeOf(type: string, value: string): Range | null {
  if (type !== 'ip' && type !== 'cidr') return null
  const slash = type === 'ip' ? value.length : value.lastIndexOf('/')
  const address = value.slice(0, slash)
  const short = parseIpv4(address)
  if (short >= 0) {
    const hosts = type === 'ip' ? 1 : 2 ** (32 - Number(value.slice(slash + 1)))
    return { family: 4, first: short, last: short + hosts - 1 }
  }
  const first = digitsOf(address)
  return { family: 6, first, last: type === 'ip' ? first : lastDigits(first, Number(value.slice(slash + 1))) }
}

/** Whether every address of `inner` is one of `outer`. */
export const contains = (outer: Range, inner: Range): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last

/** By family and first address, the wider of two networks first: what contains another stands before it. */
export const byAddress = (a: Range, b: Range): number =>
  a.family - b.family || order(a.first, b.first) || order(b.last, a.last)

const order = (a: Point, b: Point): number => (a < b ? -1 : a > b ? 1 : 0)
