import { afterAll, expect, test } from 'vitest'
import { dnsNames } from '../../../../../connectors/network/scanner/scanner.ts'
import { nameServer } from '../../../../builders/network/name-server.ts'

const domainName = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)])
const mx = (name: string): Buffer => Buffer.concat([Buffer.of(0, 10), domainName(name)])
const txt = (...pieces: string[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.of(Buffer.byteLength(piece)), Buffer.from(piece)])))

const PTR = 12
const NS = 2
const MX = 15
const TXT = 16
const many = Array.from({ length: 70 }, (_, i) => `8.8.4.${i}`)
const server = await nameServer(
  {
    'example.com': [['8.8.8.8', '2606:4700:4700::1111']],
    'bare.example.com': [[]],
    'many.example.com': [many],
    'silent.example.com': [],
    '8.8.8.8.in-addr.arpa': [[]],
    '1.1.1.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7.4.0.0.7.4.6.0.6.2.ip6.arpa': [[]],
  },
  {
    [`example.com ${MX}`]: [mx('mx1.example.net'), mx('mx2.example.net')],
    [`example.com ${NS}`]: [domainName('ns.example.org')],
    [`example.com ${TXT}`]: [txt('v=spf1 ', '-all'), txt(...Array.from({ length: 10 }, () => 'x'.repeat(200)))],
    [`8.8.8.8.in-addr.arpa ${PTR}`]: [domainName('dns.example.com')],
    [`1.1.1.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7.4.0.0.7.4.6.0.6.2.ip6.arpa ${PTR}`]: [
      domainName('six.example.com'),
    ],
  },
)
afterAll(() => server.close())

const names = dnsNames([server.address])
const never = new AbortController().signal

test('a name has its addresses, mail servers, name servers and texts, by a real name server', async () => {
  expect(await names.records('example.com', never)).toEqual({
    addresses: ['8.8.8.8', '2606:4700:4700::1111'],
    mailServers: ['mx1.example.net', 'mx2.example.net'],
    nameServers: ['ns.example.org'],
    texts: ['v=spf1 -all', 'x'.repeat(1024)],
  })
})

test('a name without records and a name that does not exist have nothing, which is an answer', async () => {
  const nothing = { addresses: [], mailServers: [], nameServers: [], texts: [] }
  expect(await names.records('bare.example.com', never)).toEqual(nothing)
  expect(await names.records('missing.example.com', never)).toEqual(nothing)
})

test('of a name with many addresses, 64 are kept', async () => {
  expect((await names.records('many.example.com', never)).addresses).toEqual(many.slice(0, 64))
})

test('an address has the name that its reverse name leads to, of either kind', async () => {
  expect(await names.reverse('8.8.8.8', never)).toEqual(['dns.example.com'])
  expect(await names.reverse('2606:4700:4700::1111', never)).toEqual(['six.example.com'])
  await expect(names.reverse('8.8.4.4', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('loopback has no name of the hosts file', async () => {
  await expect(names.reverse('127.0.0.1', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a name server that does not answer is left when the time is up, and nothing was answered', async () => {
  const began = performance.now()
  const asked = names.records('silent.example.com', AbortSignal.timeout(50))
  await expect(asked).rejects.toThrow('no name server answered the query for silent.example.com')
  expect(performance.now() - began).toBeLessThan(1_500)
})

test('nothing is asked after the end', async () => {
  const before = server.asked.length
  await expect(names.records('example.com', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(server.asked).toHaveLength(before)
})
