/** Keys in an order in which what lies below a name, or inside a network, stands together. */

import type { Prefix } from '../../edge/answers/port.ts'
import { type Range, rangeOf } from '../../schemas/intelligence/propagation/range.ts'

const NAME = 0x6e
const FAMILY = { 4: 0x34, 6: 0x36 } as const
const NAMES: ReadonlySet<string> = new Set(['domain', 'hostname'])

/** The key of a name: its labels from the last one on, each with an end, so that what is below it begins with it. */
export function nameKey(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.').reverse()
  return Buffer.concat([Buffer.of(NAME), ...labels.map((label) => Buffer.from(`${label}\0`))])
}

/** The first byte of the keys of all names. */
export const NAMES_KEY = Buffer.of(NAME)

function bytesOf({ family, first }: Pick<Range, 'family' | 'first'>): Buffer {
  if (family === 6) return Buffer.from(first as string, 'hex')
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(first as number)
  return bytes
}

/** The key of an address or a network: family, first address, length of the prefix. */
const addressKey = (range: Range, bits: number): Buffer =>
  Buffer.concat([Buffer.of(FAMILY[range.family]), bytesOf(range), Buffer.of(bits)])

/** Where a value in normal form stands; null: it is neither a name nor an address. */
export function placeOf(type: string, value: string): Buffer | null {
  if (NAMES.has(type)) return nameKey(value)
  const range = rangeOf(type, value)
  if (range === null) return null
  const longest = range.family === 4 ? 32 : 128
  return addressKey(range, type === 'ip' ? longest : Number(value.slice(value.lastIndexOf('/') + 1)))
}

/** The first and the last key of what begins inside a network. */
export function within({ bytes, bits }: Prefix): { start: Buffer; end: Buffer } {
  const family = bytes.length === 4 ? FAMILY[4] : FAMILY[6]
  const [first, last] = [Buffer.from(bytes), Buffer.from(bytes)]
  for (let i = 0; i < bytes.length; i++) {
    const kept = Math.min(8, Math.max(0, bits - 8 * i))
    const mask = (0xff << (8 - kept)) & 0xff
    first[i] = bytes[i]! & mask
    last[i] = (bytes[i]! & mask) | (0xff >> kept)
  }
  return {
    start: Buffer.concat([Buffer.of(family), first]),
    end: Buffer.concat([Buffer.of(family), last, Buffer.of(255)]),
  }
}

/** A network in the notation of CIDR. */
export function cidrOf({ bytes, bits }: Prefix): string {
  if (bytes.length === 4) return `${[...bytes].join('.')}/${bits}`
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.match(/.{4}/g)!.join(':')}/${bits}`
}
