import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greetingIn, readable } from '../../../../../../connectors/network/scanner/facts/banner.ts'
import { serviceOf } from '../../../../../../connectors/network/scanner/probe-port.ts'
import { dnsNamesIn } from '../../../../../../connectors/network/scanner/tls-certificate.ts'

const greetings: { greeting: string; want: ReturnType<typeof greetingIn> }[] = [
  { greeting: 'SSH-2.0-OpenSSH_9.2p1\r\nmore', want: { kind: 'ssh', text: 'SSH-2.0-OpenSSH_9.2p1' } },
  { greeting: 'SSH-1.99-x\n', want: { kind: 'ssh', text: 'SSH-1.99-x' } },
  { greeting: '220 mx.example.com ESMTP', want: { kind: 'greeting', text: '220 mx.example.com ESMTP' } },
  { greeting: '220-Welcome\r\n220 to it', want: { kind: 'greeting', text: '220-Welcome' } },
  { greeting: '+OK POP3 ready\r\n', want: { kind: 'greeting', text: '+OK POP3 ready' } },
  { greeting: '* OK IMAP4rev1\r\n', want: { kind: 'greeting', text: '* OK IMAP4rev1' } },
  { greeting: 'SSH-2.0-\u001b[2Jx\0\u202ey', want: { kind: 'ssh', text: 'SSH-2.0- [2Jx y' } },
  { greeting: '', want: undefined },
  { greeting: '\r\nSSH-2.0-late', want: undefined },
  { greeting: '2200 what', want: undefined },
  { greeting: '554 no', want: undefined },
  { greeting: 'J\0\0\0\n5.7.44-log', want: undefined },
]
for (const { greeting, want } of greetings)
  test(`what ${JSON.stringify(greeting)} greets with`, () => expect(greetingIn(Buffer.from(greeting))).toEqual(want))

test('whatever bytes a server says, a banner is one clean line of at most 1,024 characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9_000 }), fc.constantFrom('', 'SSH-2.0-', '220 '), (bytes, start) => {
      const banner = greetingIn(Buffer.concat([Buffer.from(start), bytes]))
      if (start !== '') expect(banner).toBeDefined()
      if (banner === undefined) return
      expect(banner.text).not.toMatch(/[\p{Cc}\p{Cf}\ufffd]/u)
      expect(banner.text.isWellFormed()).toBe(true)
      expect(banner.text.length).toBeLessThanOrEqual(1_024)
      expect(banner.text).toBe(banner.text.trim())
    }),
  )
})

test('a text is not cut within a character', () => {
  expect(readable(`${'x'.repeat(1_023)}\u{1f600}`)).toBe('x'.repeat(1_023))
  expect(readable('half \ud83d of one')).toBe('half of one')
})

const alternatives: { text: string; want: string[] }[] = [
  { text: 'DNS:a.example.com, IP Address:8.8.8.8, DNS:b.example.com', want: ['a.example.com', 'b.example.com'] },
  { text: 'DNS:*.example.com', want: ['*.example.com'] },
  { text: '', want: [] },
  { text: 'DNS:"evil, DNS:bank.example.com, x", DNS:a.example.com', want: ['a.example.com'] },
  { text: 'DirName:"CN=x, DNS:bank.example.com", DNS:a.example.com', want: ['a.example.com'] },
  { text: 'DNS:"x\\", DNS:bank.example.com, \\"y"', want: [] },
  { text: 'URI:https://example.com/', want: [] },
]
for (const { text, want } of alternatives)
  test(`the names in ${JSON.stringify(text)}`, () => expect(dnsNamesIn(text)).toEqual(want))

test('nothing is sent to ports of other protocols and to printers, and everything else is tried', () => {
  for (const port of [21, 22, 25, 53, 110, 143, 587, 3306, 6379, 9100, 9107, 515, 1, 1023])
    expect([port, serviceOf(port)]).toEqual([port, 'greets'])
  expect([80, 8080, 443, 8443, 993, 995].map(serviceOf)).toEqual([
    ...['http', 'http', 'https', 'https', 'greets-securely', 'greets-securely'],
  ])
  expect([1024, 9099, 9108, 40_000].map(serviceOf)).toEqual(Array.from({ length: 4 }, () => 'unknown'))
})
