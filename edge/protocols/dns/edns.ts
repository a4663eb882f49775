import { TYPE } from './codes.ts'

/** What a query says of itself beyond 1987 (RFC 6891). */
export type Edns = {
  version: number
  /** Bytes of UDP that the one who asks takes, as they say. */
  size: number
  /** Whether signatures are asked for. There are none; the bit is given back. */
  dnssecOk: boolean
}

/** Type, class, time to live and length of a record. */
const FIXED_BYTES = 10

/**
 * Reads the records behind the question.
 * @returns null: there is no EDNS record; undefined: an error of form, such as records that are cut, a second EDNS record, and
 * options that do not fit in it. What the options are does not matter: none is known
 */
export function readEdns(packet: Buffer, from: number, records: number): Edns | null | undefined {
  let edns: Edns | null = null
  let at = from
  for (let i = 0; i < records; i++) {
    const fixed = skipName(packet, at)
    if (fixed < 0 || fixed + FIXED_BYTES > packet.length) return undefined
    const data = fixed + FIXED_BYTES
    const end = data + packet.readUInt16BE(fixed + 8)
    if (end > packet.length) return undefined
    if (packet.readUInt16BE(fixed) === TYPE.opt) {
      if (edns !== null || fixed !== at + 1 || !areOptions(packet, data, end)) return undefined
      edns = {
        version: packet[fixed + 5]!,
        size: packet.readUInt16BE(fixed + 2),
        dnssecOk: packet[fixed + 6]! >= 0x80,
      }
    }
    at = end
  }
  return edns
}

/** Where the name ends that begins at `at`: behind its last label, or behind a pointer; -1: it is cut, or none. */
function skipName(packet: Buffer, at: number): number {
  for (let next = at; ; ) {
    const length = packet[next]
    if (length === undefined) return -1
    if (length >= 0xc0) return next + 2
    if (length > 63) return -1
    next += 1 + length
    if (length === 0) return next
  }
}

function areOptions(packet: Buffer, from: number, end: number): boolean {
  let at = from
  while (at + 4 <= end) at += 4 + packet.readUInt16BE(at + 2)
  return at === end
}
