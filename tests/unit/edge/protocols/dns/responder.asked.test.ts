import { describe, expect, test } from 'vitest'
import { dnsResponder } from '../../../../../edge/protocols/dns/responder.ts'
import { asking, dnsQuery, readReply, shortOf } from '../../../../builders/edge/dns/dns-query.ts'
import { memoryList } from '../../../../builders/edge/memory-list.ts'

const list = memoryList([
  { type: 'ip', value: '203.0.113.9', reputation: -3 },
  { type: 'domain', value: 'evil-r4.example', reputation: -3 },
])
const responder = dnsResponder({ zone: 'bl.test', answers: list, places: list, ttl: 60 })
const ask = asking(responder)
const short = (name: string): string => shortOf(ask(`${name}.bl.test`))
const SOA = 'bl.test 60 SOA localhost hostmaster.bl.test 42 60'

describe('letter case', () => {
  test('owner and question have the one asked, and the answer is the same', () => {
    const asked = ask('9.113.0.203.Bl.TeSt')
    expect([asked.question, asked.answers]).toEqual(['9.113.0.203.Bl.TeSt A', ['9.113.0.203.Bl.TeSt 60 A 127.0.0.4']])
    expect(ask('EvIl-R4.ExAmPlE.bl.TEST', 'TXT').answers).toEqual([
      'EvIl-R4.ExAmPlE.bl.TEST 60 TXT reputation=-3 accuracy=2',
    ])
    expect(ask('Clean.Example.bL.TesT').authority).toEqual([SOA.replace('bl.test', 'bL.TesT')])
    expect(ask('bL.TesT', 'SOA').answers).toEqual([SOA.replace('bl.test', 'bL.TesT')])
  })

  test('a zone that is typed in upper case answers too', () => {
    const upper = asking(dnsResponder({ zone: 'BL.Test.', answers: list, places: list, ttl: 60 }))
    expect(upper('9.113.0.203.bl.test').answers).toEqual(['9.113.0.203.bl.test 60 A 127.0.0.4'])
  })
})

describe('a list that is stale', () => {
  const names = ['9.113.0.203', '8.8.8.8', '113.0.203', '2.0.0.127', '1.0.0.127', 'TEST', 'evil-r4.example']

  test('answers nothing but that it cannot say, also of test entries and the apex, until it is back', () => {
    const before = names.map((name) => short(name))
    list.set({ stale: true })
    for (const over of ['udp', 'tcp'] as const)
      for (const name of [...names.map((one) => `${one}.bl.test`), 'bl.test'])
        for (const type of ['A', 'TXT', 'SOA', 'NS', 'ANY'] as const) {
          const { rcode, answers, authority, flags } = asking(responder, over)(name, type)
          expect([rcode, answers, authority, flags]).toEqual(['SERVFAIL', [], [], []])
        }
    expect([ask('other.test').rcode, ask('bl.test', 'AXFR').rcode]).toEqual(['REFUSED', 'REFUSED'])
    list.set({ stale: false })
    expect(names.map((name) => short(name))).toEqual(before)
  })

  test('and one that fails never says clean', () => {
    const failing = {
      ...list,
      answer: (): never => {
        throw new Error('no disk')
      },
    }
    const asked = asking(dnsResponder({ zone: 'bl.test', answers: failing, places: list, ttl: 60 }))
    expect(asked('9.113.0.203.bl.test').rcode).toBe('SERVFAIL')
  })
})

describe('what is not ours', () => {
  test.each([
    ['other.test', 'A'],
    ['test', 'A'],
    ['xbl.test', 'A'],
    ['', 'NS'],
    ['bl.test.example', 'SOA'],
    ['bl.test', 'AXFR'],
    ['bl.test', 'IXFR'],
    ['9.113.0.203.bl.test', 'AXFR'],
  ] as const)('%s %s is refused', (name, type) => {
    const { rcode, answers, authority, flags } = ask(name, type, { flags: 0x0100 })
    expect([rcode, answers, authority, flags]).toEqual(['REFUSED', [], [], ['rd']])
  })

  test('so are other classes', () => {
    for (const other of [3, 4, 254, 255, 0])
      expect(ask('9.113.0.203.bl.test', 'A', { class: other }).rcode).toBe('REFUSED')
    expect(ask('version.bind', 'TXT', { class: 3 }).rcode).toBe('REFUSED')
  })

  test('a label with a dot in it is not two labels', () => {
    const labels = (...given: string[]): Buffer[] => given.map((label) => Buffer.from(label, 'latin1'))
    const rcode = (...given: string[]) => readReply(responder.answer(dnsQuery(labels(...given), 'A'), 'udp')!).rcode
    expect(rcode('9.113.0.203', 'bl', 'test')).toBe('NXDOMAIN')
    expect(rcode('evil-r4.example', 'bl', 'test')).toBe('NXDOMAIN')
    expect(rcode('evil-r4', 'example.bl', 'test')).toBe('REFUSED')
    expect(rcode('evil-r4', 'example', 'bl.test')).toBe('REFUSED')
    expect(rcode('evil\0', 'example', 'bl', 'test')).toBe('NXDOMAIN')
    expect(rcode('\xff\xfe', 'evil-r4', 'example', 'bl', 'test')).toBe('NXDOMAIN')
  })
})
