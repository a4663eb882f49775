import { encode } from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { dnsResponder } from '../../../../../edge/protocols/dns/responder.ts'
import { asking, dnsQuery, ednsRecord, type Read, readReply } from '../../../../builders/edge/dns/dns-query.ts'
import { memoryList } from '../../../../builders/edge/memory-list.ts'

const tags = (count: number): string[] => Array.from({ length: count }, (_, i) => `tag-${String(i).padStart(4, '0')}`)
const list = memoryList([
  { type: 'ip', value: '203.0.113.9', reputation: -3 },
  { type: 'domain', value: 'some-tags.example', reputation: -1, tags: tags(80) },
  { type: 'domain', value: 'many-tags.example', reputation: -1, tags: tags(200) },
  { type: 'domain', value: 'most-tags.example', reputation: -1, tags: tags(20_000) },
])
const responder = dnsResponder({ zone: 'bl.test', answers: list, places: list, ttl: 60 })
const ask = asking(responder)
const LISTED = '9.113.0.203.bl.test'
const sent = (packet: Buffer): Read | null => {
  const answer = responder.answer(packet, 'udp')
  return answer === null ? null : readReply(answer)
}

describe('the header', () => {
  test('has the id, also 0, says that the answer is of the zone itself, and never offers recursion', () => {
    for (const id of [0, 1, 65_535])
      expect(ask(LISTED, 'A', { id })).toMatchObject({ id, rcode: 'NOERROR', flags: ['aa'] })
    expect(ask(LISTED, 'A', { flags: 0x0100 }).flags).toEqual(['aa', 'rd'])
    // All that a query may say beside: cut, own, recursion offered, reserved, authentic, unchecked.
    expect(ask(LISTED, 'A', { flags: 0x07f0 }).flags).toEqual(['aa', 'rd'])
    expect(responder.answer(dnsQuery(LISTED, 'A', { flags: 0x07f5 }), 'udp')![3]).toBe(0)
  })

  test('an answer is left without one', () => {
    expect(sent(dnsQuery(LISTED, 'A', { flags: 0x8000 }))).toBeNull()
    expect(sent(responder.answer(dnsQuery(LISTED, 'A'), 'udp')!)).toBeNull()
  })

  test('other operations are not known, each answered as itself', () => {
    for (let opcode = 1; opcode < 16; opcode++) {
      const answer = responder.answer(dnsQuery('bl.test', 'SOA', { flags: opcode << 11 }), 'udp')!
      expect([readReply(answer).rcode, (answer[2]! >> 3) & 15]).toEqual(['NOTIMP', opcode])
      expect(ask(LISTED, 'A', { flags: opcode << 11, edns: {} })).toMatchObject({
        rcode: 'NOTIMP',
        edns: { version: 0 },
      })
      const odd = dnsQuery(LISTED, 'A', { flags: opcode << 11 }).subarray(0, 20)
      expect(sent(odd)).toMatchObject({ rcode: 'NOTIMP', question: null, flags: [] })
    }
  })
})

describe('EDNS', () => {
  test('is answered with EDNS, and only then', () => {
    expect(ask(LISTED).edns).toBeNull()
    expect(ask(LISTED, 'A', { edns: {} }).edns).toEqual({ version: 0, size: 1232, flags: 0, options: 0 })
    expect(ask(LISTED, 'A', { edns: { flags: 0x8001 } }).edns!.flags).toBe(0x8000)
    expect(ask('other.test', 'A', { edns: {} })).toMatchObject({ rcode: 'REFUSED', edns: { version: 0 } })
  })

  test('options are of no interest', () => {
    const options = [10, 65_001, 8, 3, 11, 14, 12].map((code) => [code, Buffer.alloc(7, 7)] as const)
    const read = ask(LISTED, 'A', { edns: { options } })
    expect(read).toMatchObject({ rcode: 'NOERROR', edns: { version: 0, options: 0 } })
    expect(read.answers).toEqual([`${LISTED} 60 A 127.0.0.4`])
  })

  test.each([1, 2, 255])('version %d gets BADVERS of version 0 and no answer', (version) => {
    for (const name of [LISTED, 'bl.test', 'other.test', 'clean.example.bl.test']) {
      const read = ask(name, 'A', { edns: { version } })
      expect(read).toMatchObject({ rcode: 'BADVERS', answers: [], authority: [], edns: { version: 0 } })
    }
  })

  test('two records of it, one with another owner, and options that do not fit are errors of form', () => {
    const plain = dnsQuery(LISTED, 'A')
    const withRecords = (count: number, ...records: Buffer[]): Buffer => {
      const packet = Buffer.concat([plain, ...records])
      packet.writeUInt16BE(count, 10)
      return packet
    }
    const opt = ednsRecord({})
    expect(sent(withRecords(1, opt))!.rcode).toBe('NOERROR')
    expect(sent(withRecords(2, opt, opt))!.rcode).toBe('FORMERR')
    expect(sent(withRecords(1, Buffer.from([1, 97]), opt))!.rcode).toBe('FORMERR')
    const options = ednsRecord({ options: [[10, Buffer.alloc(8)]] })
    for (const change of [-1, 1, 41, 200]) {
      const bent = Buffer.concat([options, Buffer.alloc(64)])
      bent.writeUInt16BE(12 + change, 9)
      expect([change, sent(withRecords(1, bent))!.rcode]).toEqual([change, 'FORMERR'])
    }
    expect(sent(withRecords(2, opt))!.rcode).toBe('FORMERR')
  })
})

describe('long answers', () => {
  const size = (name: string, over: 'udp' | 'tcp', edns?: { size: number }): [number, string[], number] => {
    const options = edns === undefined ? {} : { edns }
    const bytes = responder.answer(dnsQuery(`${name}.bl.test`, 'TXT', options), over)!
    const { flags, answers } = readReply(bytes)
    return [bytes.length, flags, answers.length]
  }

  test('are cut at what was asked and at 1,232 bytes over UDP, and say so', () => {
    expect(size('some-tags.example', 'udp')).toEqual([43, ['aa', 'tc'], 0])
    expect(size('some-tags.example', 'udp', { size: 512 })).toEqual([54, ['aa', 'tc'], 0])
    expect(size('some-tags.example', 'udp', { size: 100 })).toEqual([54, ['aa', 'tc'], 0])
    expect(size('some-tags.example', 'udp', { size: 1232 })).toEqual([818, ['aa'], 1])
    expect(size('some-tags.example', 'udp', { size: 818 })).toEqual([818, ['aa'], 1])
    expect(size('some-tags.example', 'udp', { size: 817 })).toEqual([54, ['aa', 'tc'], 0])
    expect(size('many-tags.example', 'udp', { size: 4096 })).toEqual([54, ['aa', 'tc'], 0])
  })

  test('are whole over TCP', () => {
    expect(size('many-tags.example', 'tcp')).toEqual([1892, ['aa'], 1])
    const [bytes, flags, answers] = size('most-tags.example', 'tcp', { size: 512 })
    expect([bytes > 32_000, bytes < 65_536, flags, answers]).toEqual([true, true, ['aa'], 1])
  })

  test('of the longest names without data fit into 512 bytes', () => {
    const zone = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(22)}`
    const asked = asking(dnsResponder({ zone, answers: list, places: list, ttl: 60 }))
    const read = asked(`${'x'.repeat(63)}.${'y'.repeat(38)}.${zone}`, 'A', { edns: { size: 512 } })
    expect([read.rcode, read.authority.length, read.flags]).toEqual(['NXDOMAIN', 1, ['aa']])
  })
})

describe('packets that are no query', () => {
  const whole = dnsQuery(LISTED, 'A', { edns: { options: [[10, Buffer.alloc(8, 7)]] } })

  test('cut anywhere are an error of form, or nothing', () => {
    for (let length = 0; length < whole.length; length++) {
      const read = sent(whole.subarray(0, length))
      expect([length, read?.rcode]).toEqual([length, length < 12 ? undefined : 'FORMERR'])
      if (read !== null) expect(read).toMatchObject({ id: 0x4a11, question: null, answers: [], authority: [] })
    }
  })

  test('no question, two of them, and records that are answers are errors of form', () => {
    const counts = (...given: [number, number][]): Buffer => {
      const packet = Buffer.concat([dnsQuery(LISTED, 'A'), dnsQuery(LISTED, 'A').subarray(12)])
      for (const [at, count] of given) packet.writeUInt16BE(count, at)
      return packet
    }
    expect(sent(counts([4, 0]))!.rcode).toBe('FORMERR')
    expect(sent(counts([4, 2]))!.rcode).toBe('FORMERR')
    expect(sent(counts([4, 65_535]))!.rcode).toBe('FORMERR')
    for (const at of [6, 8, 10]) expect(sent(counts([at, 65_535]))!.rcode).toBe('FORMERR')
    // What stands behind the last record is not read.
    expect(sent(counts())!.answers).toEqual([`${LISTED} 60 A 127.0.0.4`])
  })

  test('pointers in the question lead nowhere', () => {
    const header = dnsQuery('', 'A').subarray(0, 12)
    const question = Buffer.from([0, 1, 0, 1])
    for (const name of [
      [0xc0, 12],
      [0xc0, 0],
      [1, 97, 0xc0, 12],
      [0xff, 0xff],
      [0x40, 97],
      [0x80, 97],
      [1, 97, 0xc0],
    ])
      expect([name, sent(Buffer.concat([header, Buffer.from(name), question]))!.rcode]).toEqual([name, 'FORMERR'])
  })

  test('pointers in later records are not followed', () => {
    const loop = Buffer.concat([Buffer.from([0xc0, 37, 0, 16, 0, 1, 0, 0, 0, 0, 0, 2, 0xc0, 37])])
    const packet = Buffer.concat([dnsQuery(LISTED, 'A'), loop])
    packet.writeUInt16BE(1, 10)
    expect(sent(packet)!.answers).toEqual([`${LISTED} 60 A 127.0.0.4`])
  })

  test('names longer than 255 bytes are errors of form', () => {
    const name = (last: number): Buffer[] => [63, 63, 63, last].map((length) => Buffer.alloc(length, 97))
    expect(sent(dnsQuery(name(61), 'A'))!.rcode).toBe('REFUSED')
    expect(sent(dnsQuery(name(62), 'A'))!.rcode).toBe('FORMERR')
    const ones = Array.from({ length: 200 }, () => Buffer.from('a'))
    expect(sent(dnsQuery(ones, 'A'))!.rcode).toBe('FORMERR')
  })

  test('64 KiB are an error of form at once', () => {
    const packet = Buffer.alloc(65_535, 0xc0)
    dnsQuery(LISTED, 'A').copy(packet)
    packet.writeUInt16BE(65_535, 10)
    expect(sent(packet)!.rcode).toBe('FORMERR')
  })

  test('an IXFR with the serial that is known is refused, and not an error of form', () => {
    const soa = { mname: 'a', rname: 'b', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 }
    const packet = encode({
      type: 'query',
      id: 1,
      questions: [{ name: 'bl.test', type: 'IXFR' }],
      authorities: [{ name: 'bl.test', type: 'SOA', data: soa }],
    })
    expect(sent(packet)!.rcode).toBe('REFUSED')
  })
})
