import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanTarget } from '../../../../schemas/scans/scan-target.ts'

const strict = (text: string) => scanTarget(text, { allowPrivate: false })
const loose = (text: string) => scanTarget(text, { allowPrivate: true })

describe('every spelling of a target is the same target', () => {
  const cases: [kind: 'ip' | 'domain', value: string, spellings: string[]][] = [
    ['domain', 'www.example.com', ['www.example.com', 'WWW.Example.COM', 'www.example.com.', ' www.example.com\n']],
    ['domain', 'xn--mnchen-3ya.de', ['münchen.de', 'MÜNCHEN.DE', 'xn--mnchen-3ya.de', 'münchen.de.']],
    ['ip', '8.8.8.8', ['8.8.8.8', ' 8.8.8.8 ', '::ffff:8.8.8.8', '::FFFF:808:808', '0:0:0:0:0:ffff:808:808']],
    ['ip', '2606:4700::1111', ['2606:4700::1111', '2606:4700:0:0:0:0:0:1111', '2606:4700:0::1111', '2606:4700::1111 ']],
  ]
  for (const [kind, value, spellings] of cases)
    for (const spelling of spellings)
      test(JSON.stringify(spelling), () => expect(strict(spelling)).toEqual({ ok: true, target: { kind, value } }))
})

const PRIVATE = [
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '168.63.129.16', '0.0.0.0'],
  ...['100.64.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2001:db8::1',
  ],
]
const LOCAL = ['localhost', 'LOCALHOST.', 'printer.local', 'db.internal', 'router.lan', 'a.home.arpa', 'x.localhost']

describe('what is not public is refused unless private targets are allowed', () => {
  for (const text of PRIVATE)
    test(text, () => {
      expect(strict(text)).toEqual({ ok: false, message: 'must not be a private, local or reserved address' })
      expect(loose(text)).toMatchObject({ ok: true, target: { kind: 'ip' } })
    })
  for (const text of LOCAL)
    test(text, () => {
      expect(strict(text)).toEqual({ ok: false, message: 'must not be a name of a local network' })
      expect(loose(text)).toMatchObject({ ok: true, target: { kind: 'domain' } })
    })
})

describe('what is neither an address nor a name is refused in any case', () => {
  const texts = [
    ...['', ' ', 'printer', 'example', 'http://example.com', 'example.com/', 'example.com:443', 'user@example.com'],
    ...['8.8.8', '8.8.8.8/24', '8.8.8.8:53', '256.1.1.1', '010.0.0.1', '0x7f.0.0.1', '2130706433', '[::1]'],
    ...['fe80::1%eth0', 'exa mple.com', 'example..com', '-a.com', 'a.c0m1', `${'a.'.repeat(600)}com`, 'a\0.com'],
  ]
  for (const text of texts)
    test(JSON.stringify(text.slice(0, 40)), () => {
      expect(strict(text).ok).toBe(false)
      expect(loose(text).ok).toBe(false)
    })
})

test('the form of a target is its own form, whatever is given', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string(), fc.webUrl()), (text) => {
      const once = loose(text)
      if (once.ok) expect(loose(once.target.value)).toEqual(once)
      if (strict(text).ok) expect(once).toEqual(strict(text))
    }),
  )
})
