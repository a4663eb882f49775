import { type Answer, type DecodedPacket, decode } from 'dns-packet'
import type { DnsResponder } from '../../../../edge/protocols/dns/responder.ts'

/** Queries written byte by byte, as hostile as one likes, and answers as a library that is not ours reads them. */

export const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
} as const
export type TypeName = keyof typeof TYPES

export type QueryOptions = {
  id?: number
  /** The two bytes behind the id. */
  flags?: number
  class?: number
  /** An EDNS record, with these options: their code and their data. */
  edns?: Edns | undefined
}

type Edns = { version?: number; size?: number; flags?: number; options?: readonly (readonly [number, Buffer])[] }

const u16 = (...numbers: readonly number[]): Buffer => Buffer.from(numbers.flatMap((n) => [n >> 8, n & 255]))

export const wireName = (labels: readonly Buffer[]): Buffer =>
  Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.alloc(1)])

export const labelsOf = (name: string): Buffer[] =>
  name === '' ? [] : name.split('.').map((label) => Buffer.from(label, 'latin1'))

export function ednsRecord({ version = 0, size = 1232, flags = 0, options = [] }: Edns): Buffer {
  const data = Buffer.concat(options.flatMap(([code, bytes]) => [u16(code, bytes.length), bytes]))
  return Buffer.concat([Buffer.alloc(1), u16(41, size), Buffer.from([0, version]), u16(flags, data.length), data])
}

/** A query for a name, given as text or as its labels. */
export function dnsQuery(
  name: string | readonly Buffer[],
  type: TypeName | number,
  options: QueryOptions = {},
): Buffer {
  const { id = 0x4a11, flags = 0, edns } = options
  const header = u16(id, flags, 1, 0, 0, edns === undefined ? 0 : 1)
  const labels = typeof name === 'string' ? labelsOf(name) : name
  const question = u16(typeof type === 'string' ? TYPES[type] : type, options.class ?? 1)
  const opt = edns === undefined ? Buffer.alloc(0) : ednsRecord(edns)
  return Buffer.concat([header, wireName(labels), question, opt])
}

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

export type Read = {
  id: number
  rcode: string
  /** Of `aa`, `tc`, `rd` and `ra` those that are set. */
  flags: string[]
  /** Of answers, authority and additional records `owner ttl type data`. */
  answers: string[]
  authority: string[]
  edns: { version: number; size: number; flags: number; options: number } | null
  question: string | null
}

/** An answer as dns-packet reads it. */
export function readReply(bytes: Buffer): Read {
  const read = decode(bytes) as DecodedPacket & { rcode: string }
  const opt = read.additionals?.find((one) => one.type === 'OPT')
  const extended = opt === undefined ? 0 : opt.extendedRcode
  const names = { aa: read.flag_aa, tc: read.flag_tc, rd: read.flag_rd, ra: read.flag_ra } as const
  return {
    id: read.id!,
    rcode: extended === 0 ? RCODES[bytes[3]! & 15]! : extended === 1 ? 'BADVERS' : `${extended}`,
    flags: Object.entries(names).flatMap(([name, set]) => (set ? [name] : [])),
    answers: (read.answers ?? []).map(textOf),
    authority: (read.authorities ?? []).map(textOf),
    edns:
      opt === undefined
        ? null
        : { version: opt.ednsVersion, size: opt.udpPayloadSize, flags: opt.flags, options: opt.options.length },
    question: read.questions?.[0] === undefined ? null : `${read.questions[0].name} ${read.questions[0].type}`,
  }
}

function textOf(record: Answer): string {
  if (record.type === 'OPT') return 'OPT'
  return `${record.name} ${record.ttl} ${record.type} ${dataOf(record)}`
}

function dataOf(record: Exclude<Answer, { type: 'OPT' }>): string {
  if (record.type === 'TXT') return Buffer.concat(record.data as Buffer[]).toString()
  if (record.type !== 'SOA') return String(record.data)
  const { mname, rname, serial, minimum } = record.data
  return `${mname} ${rname} ${serial} ${minimum}`
}

/** Asks a responder, and reads what it sends. */
export const asking =
  (responder: DnsResponder, over: 'udp' | 'tcp' = 'udp') =>
  (name: string, type: TypeName | number = 'A', options: QueryOptions = {}): Read =>
    readReply(responder.answer(dnsQuery(name, type, options), over)!)

/** In one word: the data of the answer, or its code and `empty` for an answer without data. */
export function shortOf({ rcode, answers, authority }: Read): string {
  if (answers.length > 0) return answers.map((one) => one.split(' ').slice(3).join(' ')).join('; ')
  const soa = authority.length === 1 && authority[0]!.includes(' SOA ')
  return rcode === 'NOERROR' ? `empty${soa ? '' : ' without SOA'}` : rcode
}
