import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dnsResponder } from '../../../edge/protocols/dns/responder.ts'
import { dig, headOf, textOf } from '../../builders/edge/dns/dig.ts'
import { dnsServer } from '../../builders/edge/dns/dns-server.ts'
import { memoryList } from '../../builders/edge/memory-list.ts'
import { freePort } from '../../builders/network/free-port.ts'
import { during } from '../../builders/suite/during.ts'
import { whileRunning } from '../../clients/device.ts'
import { askDns, orSkip } from '../../clients/prepare.ts'

/** The DNS zone of an edge, asked by programs that are not ours: dig, dnspython, and Unbound in front of it. */

const V6 = [...'2a000db8004000000000000000000009'].reverse().join('.')
const V6_NEIGHBOUR = V6.replace('9.', '8.')
const tags = (count: number): string[] => Array.from({ length: count }, (_, i) => `tag ${i}, "\\я`)

const list = memoryList([
  { type: 'ip', value: '203.0.113.9', reputation: -3, accuracy: 3, tags: ['botnet', 'c2'] },
  { type: 'cidr', value: '45.60.0.0/14', reputation: -2 },
  { type: 'ip', value: '2a00:db8:40::9', reputation: -1 },
  { type: 'domain', value: 'a.b.deep-r4.example', reputation: -1 },
  { type: 'domain', value: 'many-tags-r4.example', reputation: -1, tags: tags(100) },
])
const written = tags(100).map((tag) => tag.replace(/[ ,"\\]/g, encodeURIComponent))
const LONG = `reputation=-1 accuracy=2 tags=${written.join(',')}`

const server = during(() => dnsServer(dnsResponder({ zone: 'bl.test', answers: list, places: list, ttl: 60 })))

describe('dig', () => {
  test.for([
    ['9.113.0.203.Bl.TeSt', 'A', '127.0.0.4'],
    ['9.113.0.203.bl.test', 'TXT', '"reputation=-3 accuracy=3 tags=botnet,c2"'],
    [`${V6}.bl.test`, 'A', '127.0.0.2'],
    ['1.2.61.45.bl.test', 'A', '127.0.0.3'],
    ['TEST.bl.test', 'A', '127.0.0.2'],
    ['bl.test', 'SOA', 'localhost. hostmaster.bl.test. 42 300 60 2592000 60'],
    ['bl.test', 'NS', 'localhost.'],
    ['bl.test', 'TXT', '"age=12 items=5 sequence=42"'],
  ] as const)('reads %s %s, over UDP and TCP', async ([name, type, answer], { skip }) => {
    for (const over of ['+notcp', '+tcp'])
      expect((await dig(skip, server.port, '+short', over, name, type)).trim()).toBe(answer)
  })

  test.for([
    ['what is listed', ['9.113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    ['and without recursion', ['+norecurse', '9.113.0.203.bl.test'], 'NOERROR', 'qr aa'],
    ['what is above it', ['113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    ['what is not listed', ['8.113.0.203.bl.test'], 'NXDOMAIN', 'qr aa rd'],
    ['a query without EDNS', ['+noedns', '9.113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    ['a newer EDNS', ['+edns=1', '+noednsnegotiation', '9.113.0.203.bl.test'], 'BADVERS', 'qr rd'],
    ['unknown flags of EDNS', ['+ednsflags=0x4080', '9.113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    ['an unknown option', ['+ednsopt=65001:0707', '9.113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    ['a cookie', ['+cookie=0102030405060708', '9.113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    [
      'subnet, name of the server and padding',
      ['+subnet=192.0.2.0/24', '+nsid', '+padding=128', 'bl.test', 'SOA'],
      'NOERROR',
      'qr aa rd',
    ],
    ['signatures', ['+dnssec', '9.113.0.203.bl.test'], 'NOERROR', 'qr aa rd'],
    ['another class', ['-c', 'CH', 'version.bind', 'TXT'], 'REFUSED', 'qr rd'],
    ['another zone', ['other.test'], 'REFUSED', 'qr rd'],
    ['another operation', ['+opcode=notify', 'bl.test', 'SOA'], 'NOTIMP', 'qr rd'],
    ['no question', ['+noedns', '+header-only', 'bl.test'], 'FORMERR', 'qr rd'],
    ['a label of any bytes', ['\\000\\255\\.x.bl.test'], 'NXDOMAIN', 'qr aa rd'],
  ] as const)('gets for %s what it should', async ([, args, status, flags], { skip }) => {
    const out = await dig(skip, server.port, '+qr', ...args)
    const answer = out.slice(out.indexOf(';; Got answer'))
    expect(headOf(answer), out).toMatchObject({ status, flags, complaints: [] })
  })

  test('is refused the whole zone', async ({ skip }) => {
    expect(await dig(skip, server.port, 'bl.test', 'AXFR')).toContain('; Transfer failed.')
    expect(await dig(skip, server.port, '+tcp', 'bl.test', 'IXFR=1')).toContain('; Transfer failed.')
  })

  test('asks again over TCP for what is too long, and has all of it', async ({ skip }) => {
    const name = ['many-tags-r4.example.bl.test', 'TXT']
    for (const how of [['+noedns'], ['+bufsize=4096']]) {
      const out = await dig(skip, server.port, '+ignore', ...how, ...name)
      expect(headOf(out)).toMatchObject({ flags: 'qr aa tc rd', answers: 0 })
      expect(textOf(await dig(skip, server.port, '+short', ...how, ...name))).toBe(LONG)
    }
  })

  test('keeps one connection for several questions', async ({ skip }) => {
    const names = ['9.113.0.203.bl.test', 'TEST.bl.test', '1.2.61.45.bl.test']
    const out = await dig(skip, server.port, '+tcp', '+keepopen', '+short', ...names)
    expect(out.trim().split('\n')).toEqual(['127.0.0.4', '127.0.0.2', '127.0.0.3'])
  })

  test('gets no word but that of a failure from a stale list', async ({ skip }) => {
    list.set({ stale: true })
    try {
      for (const over of ['+notcp', '+tcp'])
        for (const question of ['9.113.0.203.bl.test', 'TEST.bl.test', 'clean.example.bl.test', 'bl.test']) {
          const out = await dig(skip, server.port, over, question, 'ANY')
          expect(headOf(out)).toMatchObject({ status: 'SERVFAIL', answers: 0 })
        }
    } finally {
      list.set({ stale: false })
    }
  })
})

describe('dnspython', () => {
  test('reads what is sent, and finds the zone', async ({ skip }) => {
    const ask = await orSkip(askDns(), skip)
    const listed = ['9.113.0.203.bl.test.', 'A'] as const
    const [udp, tcp, edns, newer, cut, resolved, long, unlisted, above, apex, zone, deep] = await ask(server.port, [
      [...listed, { udp: true }],
      [...listed, { tcp: true, edns: 0 }],
      [...listed, { udp: true, edns: 0, size: 1400 }],
      [...listed, { udp: true, edns: 1 }],
      ['many-tags-r4.example.bl.test.', 'TXT', { udp: true, edns: 0, size: 1400 }],
      [...listed, { resolver: true }],
      ['many-tags-r4.example.bl.test.', 'TXT', { resolver: true }],
      ['8.113.0.203.bl.test.', 'A', { resolver: true }],
      ['113.0.203.bl.test.', 'A', { resolver: true }],
      ['bl.test.', 'TXT', { resolver: true }],
      ['9.113.0.203.bl.test.', 'A', { zone: true }],
      ['a.b.deep-r4.example.bl.test.', 'A', { zone: true }],
    ])
    const answers = ['9.113.0.203.bl.test. 60 IN A 127.0.0.4']
    expect(udp).toEqual({ rcode: 'NOERROR', flags: 'QR AA RD', edns: -1, answers, authority: [] })
    expect(tcp).toEqual({ rcode: 'NOERROR', flags: 'QR AA RD', edns: 0, answers, authority: [] })
    expect(edns).toEqual(tcp)
    expect(newer).toEqual({ rcode: 'BADVERS', flags: 'QR RD', edns: 0, answers: [], authority: [] })
    expect(cut).toEqual({ rcode: 'NOERROR', flags: 'QR AA TC RD', edns: 0, answers: [], authority: [] })
    expect([resolved, unlisted, above]).toEqual([['127.0.0.4'], 'NXDOMAIN', 'NoAnswer'])
    expect(textOf((long as string[]).join(''))).toBe(LONG)
    expect(apex).toEqual(['"age=12 items=5 sequence=42"'])
    expect([zone, deep]).toEqual(['bl.test.', 'bl.test.'])
  })
})

describe('Unbound in front of it', () => {
  const folder = during(
    async () => ({ path: await mkdtemp(join(tmpdir(), 'unbound-')) }),
    ({ path }) => rm(path, { recursive: true }),
  )

  /** As strict as it can be set: label by label, letters in mixed case, and no existing name is looked for below a missing one. */
  const configOf = (port: number): string => `server:
  interface: 127.0.0.1
  port: ${port}
  directory: "${folder.path}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  verbosity: 1
  num-threads: 1
  do-ip6: no
  do-not-query-localhost: no
  module-config: "iterator"
  qname-minimisation: yes
  qname-minimisation-strict: yes
  aggressive-nsec: yes
  harden-below-nxdomain: yes
  use-caps-for-id: yes
  local-zone: "test." nodefault
stub-zone:
  name: bl.test.
  stub-addr: 127.0.0.1@${server.port}
remote-control:
  control-enable: no
`

  test('finds what is listed after it asked for unlisted neighbours, label by label', async ({ skip }) => {
    const port = await freePort()
    const config = join(folder.path, 'unbound.conf')
    await writeFile(config, configOf(port))
    const before = server.asked.length
    const short = async (name: string, type = 'A'): Promise<string> => {
      const out = await dig(skip, port, `${name}.bl.test`, type)
      const answers = [...out.matchAll(/^\S+\s+\d+\s+IN\s+(?:A|TXT)\s+(.*)$/gm)].map(([, data]) => data!)
      return `${headOf(out).status} ${answers.join(' ')}`.trim()
    }
    const found = await orSkip(
      whileRunning('unbound', ['-d', '-c', config], /start of service/, async () => {
        const unlisted = [
          '8.113.0.203',
          '1.100.51.198',
          V6_NEIGHBOUR,
          'b.deep-r4.example',
          'clean.example',
          '1.0.0.127',
        ]
        const first: string[] = []
        for (const name of unlisted) first.push(await short(name))
        const listed = [
          '9.113.0.203',
          V6,
          '1.2.61.45',
          'a.b.deep-r4.example',
          '2.0.0.127',
          'TEST',
          'EvIl.a.b.deep-r4.example',
        ]
        const second: string[] = []
        for (const name of listed) second.push(await short(name))
        const third = [await short('9.113.0.203', 'TXT'), await short('113.0.203'), await short('9.113.0.203', 'MX')]
        const long = await dig(skip, port, '+short', 'many-tags-r4.example.bl.test', 'TXT')
        return { first, second, third, long: textOf(long) }
      }),
      skip,
    )
    expect(found.first).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN', 'NOERROR', 'NXDOMAIN', 'NXDOMAIN'])
    expect(found.second).toEqual(
      ['127.0.0.4', '127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.2'].map(
        (a) => `NOERROR ${a}`,
      ),
    )
    expect(found.third).toEqual(['NOERROR "reputation=-3 accuracy=3 tags=botnet,c2"', 'NOERROR', 'NOERROR'])
    expect(found.long).toBe(LONG)
    const names = new Set(server.asked.slice(before).map(({ packet }) => nameOf(packet).toLowerCase()))
    // It did ask label by label, with letters in mixed case, and over TCP for what is long.
    expect(names).toContain('203.bl.test')
    expect(names).toContain('113.0.203.bl.test')
    expect(names).toContain('example.bl.test')
    expect(server.asked.slice(before).some(({ packet }) => /[A-Z]/.test(nameOf(packet)))).toBe(true)
    expect(server.asked.slice(before).some(({ over }) => over === 'tcp')).toBe(true)
  })
})

function nameOf(packet: Buffer): string {
  const labels: string[] = []
  for (let at = 12; packet[at] !== 0; at += 1 + packet[at]!)
    labels.push(packet.toString('latin1', at + 1, at + 1 + packet[at]!))
  return labels.join('.')
}
