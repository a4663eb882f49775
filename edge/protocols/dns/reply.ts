import { HEADER_BYTES, RCODE } from './codes.ts'
import type { Query } from './query.ts'
import { ednsAnswer, MAX_UDP_BYTES } from './wire-records.ts'

/** One record behind the question. */
export type Placed = {
  section: 'answer' | 'authority'
  /** Where its owner begins in the question, in bytes: it has the letter case that was asked. */
  owner: number
  /** From its type on. */
  record: Buffer
}

/** Longest answer over UDP to who says nothing of more, and over TCP. Bytes. */
const PLAIN_UDP_BYTES = 512
const TCP_BYTES = 65_535

const ANSWER = 0x80
const OPCODE = 0x78
const AUTHORITATIVE = 0x04
const TRUNCATED = 0x02
const RECURSION_DESIRED = 0x01
const POINTER = 0xc000

/** An answer without a question: nothing more of the packet is understood, or wanted. */
export function bareReply(packet: Buffer, rcode: number): Buffer {
  const reply = Buffer.alloc(HEADER_BYTES)
  reply[0] = packet[0]!
  reply[1] = packet[1]!
  reply[2] = ANSWER | (packet[2]! & (OPCODE | RECURSION_DESIRED))
  reply[3] = rcode
  return reply
}

/**
 * An answer with the question as it came, one record at the most, and EDNS only where it was asked with it. What is too
 * long for the way it goes has no record, and says that it is cut.
 */
export function reply(query: Query, over: 'udp' | 'tcp', rcode: number, placed: Placed | null): Buffer {
  const { packet, end, edns } = query
  const opt = edns === null ? null : ednsAnswer(edns, rcode)
  const others = end + (opt?.length ?? 0)
  const whole = others + (placed === null ? 0 : 2 + placed.record.length)
  const fits = whole <= longest(query, over)
  const written = Buffer.allocUnsafe(fits ? whole : others)
  packet.copy(written, 0, 0, end)
  const authoritative = rcode === RCODE.noError || rcode === RCODE.nxDomain ? AUTHORITATIVE : 0
  written[2] = ANSWER | authoritative | (fits ? 0 : TRUNCATED) | (packet[2]! & (OPCODE | RECURSION_DESIRED))
  written[3] = rcode & 15
  const count = fits && placed !== null ? placed.section : null
  written.writeUInt16BE(count === 'answer' ? 1 : 0, 6)
  written.writeUInt16BE(count === 'authority' ? 1 : 0, 8)
  written.writeUInt16BE(opt === null ? 0 : 1, 10)
  let at = end
  if (fits && placed !== null) {
    at = written.writeUInt16BE(POINTER | placed.owner, at)
    at += placed.record.copy(written, at)
  }
  opt?.copy(written, at)
  return written
}

/** Bytes of an answer at the most. Who says less than 512 means 512 (RFC 6891, section 6.2.3). */
function longest({ edns }: Query, over: 'udp' | 'tcp'): number {
  if (over === 'tcp') return TCP_BYTES
  return edns === null ? PLAIN_UDP_BYTES : Math.min(Math.max(edns.size, PLAIN_UDP_BYTES), MAX_UDP_BYTES)
}
