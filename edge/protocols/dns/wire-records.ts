import { type Answer, encode } from 'dns-packet'
import { HEADER_BYTES } from './codes.ts'
import type { Edns } from './edns.ts'

/** Records as they stand in a message behind their owner. What does not change with the query is written once. */

/** Bytes of UDP that are taken and sent at most: they pass every usual network in one piece (RFC 9715). */
export const MAX_UDP_BYTES = 1_232

/**
 * Refresh, retry and expiry as the list has them as a zone in a file (decisions 11.6). Seconds.
 */
const TIMERS = { refresh: 300, retry: 60, expire: 2_592_000 }
const SERIALS = 2 ** 32
/** A zone must name a server; nobody comes by this name, only by a configured address. */
const SERVER = 'localhost'
const DNSSEC_OK = 0x8000

/** A record without its owner: type, class, time to live, length, data. */
function encoded(record: Answer): Buffer {
  const packet = encode({ type: 'response', answers: [{ ...record, name: '.' }] })
  return packet.subarray(HEADER_BYTES + 1)
}

/** 127.0.0.2, .3 and .4 for the reputations -1, -2 and -3. */
export function addressRecords(ttl: number): (reputation: number) => Buffer {
  const of = (last: number) => encoded({ name: '.', type: 'A', ttl, data: `127.0.0.${last}` })
  const records = [of(2), of(3), of(4)]
  return (reputation) => records[Math.min(3, Math.max(1, -reputation)) - 1]!
}

export const textRecord = (strings: Buffer[], ttl: number): Buffer =>
  encoded({ name: '.', type: 'TXT', ttl, data: strings })

export const serverRecord = (ttl: number): Buffer => encoded({ name: '.', type: 'NS', ttl, data: SERVER })

/** The SOA of the zone at a sequence of the list; its serial is at least 1 (decisions 19.3), and 32 bits. */
export function zoneRecord(zone: string, ttl: number): (sequence: number) => Buffer {
  const at = (serial: number): Buffer => {
    const data = { mname: SERVER, rname: `hostmaster.${zone}`, serial, ...TIMERS, minimum: ttl }
    return encoded({ name: '.', type: 'SOA', ttl, data })
  }
  let known = { serial: 1, record: at(1) }
  return (sequence) => {
    const serial = Math.max(1, sequence % SERIALS)
    if (serial !== known.serial) known = { serial, record: at(serial) }
    return known.record
  }
}

/** The EDNS record of an answer, with its owner: version 0, no option. */
function ednsRecord(flags: number, extendedRcode: number): Buffer {
  const opt = { udpPayloadSize: MAX_UDP_BYTES, extendedRcode, ednsVersion: 0, flags, flag_do: flags !== 0, options: [] }
  return Buffer.concat([Buffer.alloc(1), encoded({ name: '.', type: 'OPT', ...opt })])
}

const EDNS = [0, 1].map((extended) => [ednsRecord(0, extended), ednsRecord(DNSSEC_OK, extended)])

/** The one for an answer to a query with `edns`; `rcode` is the whole code, of 12 bits. */
export const ednsAnswer = ({ dnssecOk }: Edns, rcode: number): Buffer => EDNS[rcode >> 4]![dnssecOk ? 1 : 0]!
