import { HEADER_BYTES, RCODE } from './codes.ts'
import { type Edns, readEdns } from './edns.ts'

/**
 * A query as it comes. Nothing in it is believed: each length is checked, and no pointer is ever followed. dns-packet, which
 * writes the records, would follow them (a query of 64 KiB took it 0.2 s), and reads names as UTF-8 that is joined by dots:
 * the label `a.b` is two labels then, and the bytes of others are lost.
 */

/** Longest query, in bytes: a name of 255, and options. What is longer has nothing that is answered. */
const MAX_QUERY_BYTES = 4_096
/** Of the sections behind the question, together: an EDNS record, a signature, and the SOA of an IXFR. */
const MAX_RECORDS = 4
const MAX_NAME_BYTES = 255

export type Query = {
  packet: Buffer
  /** 0: a plain query. */
  operation: number
  /**
   * The name asked for, in lower case and without a dot at its end; '': the root. A byte that is in no name of a host
   * stands as `?`, so that it equals nothing.
   */
  name: string
  type: number
  class: number
  /** Where the question ends in the packet. */
  end: number
  edns: Edns | null
}

/** Of each byte what stands for it in a name: letters, digits, hyphens and underscores in lower case, else `?`. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte).toLowerCase()
  return (/^[a-z0-9_-]$/.test(letter) ? letter : '?').charCodeAt(0)
})
const DOT = 46
/** Names are written here; each is read before the next one is. */
const written = Buffer.alloc(MAX_NAME_BYTES)

/**
 * Reads a packet.
 * @returns a number: the code of the error that it is to be answered with; null: it is to be left without an answer,
 * because it has no header or is an answer itself
 */
export function readQuery(packet: Buffer): Query | number | null {
  if (packet.length < HEADER_BYTES || packet[2]! >= 0x80) return null
  const operation = (packet[2]! & 0x78) >> 3
  // Other operations may have another form.
  const error = operation === 0 ? RCODE.formErr : RCODE.notImp
  if (packet.length > MAX_QUERY_BYTES) return error
  const records = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10)
  if (packet.readUInt16BE(4) !== 1 || records > MAX_RECORDS) return error
  const nameEnd = readName(packet)
  const end = nameEnd + 4
  if (nameEnd < 0 || end > packet.length) return error
  const name = written.toString('latin1', 0, nameEnd - HEADER_BYTES - 2)
  const edns = records === 0 ? null : readEdns(packet, end, records)
  if (edns === undefined) return error
  const [type, asked] = [packet.readUInt16BE(nameEnd), packet.readUInt16BE(nameEnd + 2)]
  return { packet, operation, name, type, class: asked, end, edns }
}

/**
 * Writes the name of the question to `written`, and returns where it ends; -1: it is cut, too long, or has a pointer,
 * which could only lead into the header.
 */
function readName(packet: Buffer): number {
  let at = HEADER_BYTES
  let to = 0
  for (;;) {
    const length = packet[at]
    // A cut packet has no byte here, and a pointer has the two highest bits.
    if (length === undefined || length > 63) return -1
    at += 1
    if (length === 0) return at
    if (at + length >= packet.length || at + length - HEADER_BYTES >= MAX_NAME_BYTES) return -1
    if (to > 0) written[to++] = DOT
    for (const end = at + length; at < end; at++) written[to++] = LETTERS[packet[at]!]!
  }
}
