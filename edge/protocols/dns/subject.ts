import type { Prefix } from '../../answers/port.ts'

/** What a name below the zone stands for. It may be several things at once: `1.0.0.2` is 2.0.0.1 and 2001::/16. */
export type Subject = {
  /** What may be listed under it, as the list is asked; null: nothing. */
  key: string | null
  /** Networks of which addresses may be listed below it. */
  networks: readonly Prefix[]
  /** The name below which names may be listed; null: it is none. */
  name: string | null
}

const IPV4_LABELS = 4
const IPV6_LABELS = 32
/** Bits in front of an IPv4 address that is written as IPv6. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
const MAPPED_BITS = 8 * MAPPED.length

/** One to four decimals from 0 to 255 as addresses are written, without zeros in front. */
const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])'
const OCTETS = new RegExp(`^${OCTET}(?:\\.${OCTET}){0,3}$`)
/** Digits of IPv6, one a label. */
const NIBBLES = /^[0-9a-f](?:\.[0-9a-f])*$/
const DIGIT_0 = 48
const LETTER_A = 97
/** A top-level domain begins with a letter. */
const NAME = /(?:^|\.)[a-z][a-z0-9_-]*$/

/** Reads a name relative to the zone, as a query has it: lower case, `?` for bytes that are in no name (RFC 5782). */
export function readSubject(relative: string): Subject {
  const networks: Prefix[] = []
  let key: string | null = null
  if (OCTETS.test(relative)) {
    const octets = relative.split('.').reverse()
    if (octets.length === IPV4_LABELS) key = octets.join('.')
    else
      networks.push({
        bytes: Uint8Array.from({ length: 4 }, (_, i) => Number(octets[i] ?? 0)),
        bits: 8 * octets.length,
      })
  }
  const nibbles = (relative.length + 1) / 2
  if (nibbles <= IPV6_LABELS && NIBBLES.test(relative)) {
    const network = ofNibbles(relative, nibbles)
    if (nibbles === IPV6_LABELS) key = textOf(network.bytes)
    else networks.push(network)
  }
  const name = !relative.includes('?') && NAME.test(relative) ? relative : null
  // A name of one label is no domain: nothing can be listed under it.
  if (name?.includes('.') && key === null) key = name
  return { key, networks, name }
}

/** The network that digits of IPv6 name, the last one first. Inside ::ffff:0:0/96 it is one of IPv4. */
function ofNibbles(relative: string, nibbles: number): Prefix {
  const bytes = new Uint8Array(16)
  for (let i = 0; i < nibbles; i++) {
    const code = relative.charCodeAt(2 * (nibbles - 1 - i))
    const nibble = code - (code < LETTER_A ? DIGIT_0 : LETTER_A - 10)
    bytes[i >> 1]! |= i % 2 === 0 ? nibble << 4 : nibble
  }
  const bits = 4 * nibbles
  const mapped = bits >= MAPPED_BITS && MAPPED.every((byte, i) => bytes[i] === byte)
  return mapped ? { bytes: bytes.subarray(12), bits: bits - MAPPED_BITS } : { bytes, bits }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  let text = ''
  for (let i = 0; i < 16; i += 2) text += `${i === 0 ? '' : ':'}${((bytes[i]! << 8) | bytes[i + 1]!).toString(16)}`
  return text
}
