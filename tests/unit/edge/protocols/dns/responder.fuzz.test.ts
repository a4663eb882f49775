import { decode } from 'dns-packet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dnsResponder } from '../../../../../edge/protocols/dns/responder.ts'
import { asking, dnsQuery, wireName } from '../../../../builders/edge/dns/dns-query.ts'
import { memoryList } from '../../../../builders/edge/memory-list.ts'

const list = memoryList([
  { type: 'ip', value: '203.0.113.9', reputation: -3, tags: ['a', 'b'] },
  { type: 'cidr', value: '45.60.0.0/14', reputation: -2 },
  { type: 'ip', value: '2001:4860::9', reputation: -1 },
  {
    type: 'domain',
    value: 'evil.example',
    reputation: -1,
    tags: Array.from({ length: 90 }, (_, i) => `tag ${i} ,"\\`),
  },
  { type: 'domain', value: 'a.b.example', reputation: -2 },
  { type: 'cidr', value: '2001:4864:8000::/33', reputation: -1 },
  { type: 'ip', value: '45.60.0.1', reputation: 2 },
  { type: 'domain', value: 'good.evil.example', reputation: 1 },
  { type: 'domain', value: 'evil.good.evil.example', reputation: -1 },
])
const responder = dnsResponder({ zone: 'bl.test', answers: list, places: list, ttl: 60 })
const ask = asking(responder)

const over = fc.constantFrom('udp' as const, 'tcp' as const)
/** Labels that are likely to meet something, and any bytes. */
const label = fc.oneof(
  fc.constantFrom(
    '9',
    '113',
    '0',
    '203',
    '45',
    '60',
    '1',
    '2',
    '4',
    '8',
    '6',
    '127',
    'a',
    'b',
    'f',
    'evil',
    'good',
    'example',
  ),
  fc.constantFrom('test', 'invalid', '_x', 'xn--e1aybc', 'EVIL', 'a.b', '*', '-a', 'domain:a', 'ip:1'),
  fc.string({ minLength: 1, maxLength: 20 }),
)
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const relative = fc.oneof(
  fc.array(label.map(bytesOf), { maxLength: 6 }),
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 }).map(Buffer.from), { maxLength: 4 }),
  fc.array(fc.constantFrom('0', '1', '2', '4', '6', '8', 'F', 'f').map(bytesOf), { maxLength: 34 }),
)
const zoned = relative.map((labels) => [...labels, bytesOf('Bl'), bytesOf('tEst')])

/** What must hold of whatever is sent for a packet. */
function check(packet: Buffer, by: 'udp' | 'tcp', bound: number): void {
  const answer = responder.answer(packet, by)
  if (answer === null) return
  expect(answer.length).toBeLessThanOrEqual(by === 'tcp' ? 65_535 : bound)
  const read = decode(answer)
  expect(decode.bytes).toBe(answer.length)
  expect(read.id).toBe(packet.readUInt16BE(0))
  expect([read.flag_qr, read.flag_ra, read.flag_z]).toEqual([true, false, false])
  expect(answer.readUInt16BE(4)).toBeLessThanOrEqual(1)
  if (answer.readUInt16BE(4) === 1) {
    let end = 12
    while (packet[end] !== 0) end += 1 + packet[end]!
    expect(answer.subarray(12, end + 5)).toEqual(packet.subarray(12, end + 5))
  }
}

test('any bytes get an answer that can be read, or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), over, (bytes, by) => check(Buffer.from(bytes), by, 1232)),
    { numRuns: 2000 },
  )
})

test('a query with some bytes changed, cut or added does too', () => {
  const change = fc.record({ at: fc.nat(90), byte: fc.nat(255) })
  const edns = fc.option(fc.record({ size: fc.nat(65_535), version: fc.constantFrom(0, 0, 0, 1) }), { nil: undefined })
  const type = fc.constantFrom('A', 'TXT', 'SOA', 'ANY', 'AAAA', 'AXFR')
  const cut = fc.option(fc.nat(90), { nil: 90 })
  fc.assert(
    fc.property(
      zoned,
      type,
      edns,
      fc.array(change, { maxLength: 3 }),
      cut,
      over,
      (labels, asked, opt, changes, to, by) => {
        const packet = Buffer.from(dnsQuery(labels, asked as 'A', { edns: opt }).subarray(0, to))
        for (const { at, byte } of changes) if (at < packet.length) packet[at] = byte
        check(packet, by, 1232)
      },
    ),
    { numRuns: 3000 },
  )
})

test('an answer over UDP is never longer than was asked', () => {
  fc.assert(
    fc.property(zoned, fc.constantFrom('A', 'TXT', 'MX', 'SOA'), fc.option(fc.nat(65_535)), (labels, type, size) => {
      fc.pre(wireName(labels).length <= 255)
      const edns = size === null ? undefined : { size }
      check(dnsQuery(labels, type as 'A', { edns }), 'udp', Math.min(Math.max(size ?? 512, 512), 1232))
    }),
    { numRuns: 1000 },
  )
})

test('a name has one code for all types, and what is above one that exists exists', () => {
  const text = fc.array(
    label.filter((one) => /^[\w-]+$/.test(one)),
    { maxLength: 6 },
  )
  const nibbles = fc.array(fc.constantFrom('0', '1', '2', '4', '6', '8', 'f'), { maxLength: 33 })
  fc.assert(
    fc.property(fc.oneof(text, nibbles), (labels) => {
      const codeOf = (from: number, type: 'A'): string =>
        ask([...labels.slice(from), 'bl', 'test'].join('.'), type).rcode
      const codes = labels.map((_, from) => {
        const each = ['A', 'TXT', 'AAAA', 'MX', 'ANY', 'NS', 'SOA', 'CNAME'].map((type) => codeOf(from, type as 'A'))
        expect([from, ...new Set(each)]).toEqual([from, each[0]])
        return each[0]!
      })
      // From the whole name up: once one exists, each shorter one does.
      const first = codes.indexOf('NOERROR')
      if (first >= 0) expect(codes.slice(first).every((code) => code === 'NOERROR')).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
