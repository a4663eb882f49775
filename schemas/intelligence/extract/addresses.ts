/**
 * Addresses and networks in the normal form of their types, read without what browsers do not have: the same forms as
 * those of `normalise`, which tests compare.
 */

import { formatIpv4, parseIpv4, unroutableIpv4 } from '../entities/datatypes/ipv4.ts'

/** `notPublic`: an address that no report may have. */
export type ReadAddress = { value: string; notPublic: boolean }

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i
const V6 = /^[0-9a-f:]{3,39}$/i
/** 2000::/3: all that is given out. Others are words of code (`abc::def`), or of one machine. */
const GLOBAL = /^[23][0-9a-f]{3}:/

function read6(text: string): string | null {
  if (!V6.test(text)) return null
  const value = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? ''
  return GLOBAL.test(value) ? value : null
}

export function readAddress(text: string): ReadAddress | null {
  const short = parseIpv4(MAPPED.exec(text)?.[1] ?? text)
  if (short >= 0) return { value: formatIpv4(short), notPublic: unroutableIpv4(short) !== null }
  const value = text.includes(':') ? read6(text) : null
  return value === null ? null : { value, notPublic: false }
}

const PREFIX = /^(?:[1-9]\d?|1[01]\d|12[0-8])$/

/** A network with the host bits cleared; `notPublic` as of its first address. Networks of everything are none. */
export function readNetwork(address: string, length: string): ReadAddress | null {
  const bits = PREFIX.test(length) ? Number(length) : -1
  const short = parseIpv4(address)
  if (short >= 0) {
    if (bits < 0 || bits > 32) return null
    const first = (short & (-1 << (32 - bits))) >>> 0
    return { value: `${formatIpv4(first)}/${bits}`, notPublic: unroutableIpv4(first) !== null }
  }
  const long = bits < 0 ? null : read6(address)
  const first = long === null ? null : read6(masked(long, bits))
  return first === null ? null : { value: `${first}/${bits}`, notPublic: false }
}

/** The first `bits` bits of an IPv6 address in its normal form, the others 0, as eight groups. */
function masked(address: string, bits: number): string {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after]
    .map((group, index) => {
      const kept = Math.max(0, Math.min(16, bits - index * 16))
      return (Number.parseInt(group, 16) & (0xffff << (16 - kept)) & 0xffff).toString(16)
    })
    .join(':')
}
