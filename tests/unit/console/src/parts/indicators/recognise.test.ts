import { expect, test } from 'vitest'
import { recognise } from '../../../../../../console/src/parts/indicators/recognise.ts'

const HEX = 'd41d8cd98f00b204e9800998ecf8427e'

const cases: [given: string, kind: string, value: string, defanged?: boolean][] = [
  ['198.51.100.7', 'ip', '198.51.100.7'],
  ['  198.51.100.7 ', 'ip', '198.51.100.7'],
  ['198[.]51[.]100[.]7', 'ip', '198.51.100.7', true],
  ['198.51.100.7:443', 'ip', '198.51.100.7'],
  ['198.51.100.7:53/udp', 'ip', '198.51.100.7'],
  ['2001:DB8:0::1', 'ip', '2001:db8::1'],
  ['[2001:db8::1]:443', 'ip', '2001:db8::1'],
  ['2001[:]db8[:][:]1', 'ip', '2001:db8::1', true],
  ['198.51.100.0/24', 'cidr', '198.51.100.0/24'],
  ['2001:db8::/32', 'cidr', '2001:db8::/32'],
  ['198.51.100.0/33', 'url', 'http://198.51.100.0/33'],
  ['evil.example', 'domain', 'evil.example'],
  ['WWW.Evil.Example.', 'domain', 'www.evil.example'],
  ['evil[.]example', 'domain', 'evil.example', true],
  ['bücher.example', 'domain', 'xn--bcher-kva.example'],
  ['evil.example:8080', 'domain', 'evil.example'],
  ['https://Evil.example/A?b=1', 'url', 'https://evil.example/A?b=1'],
  ['hxxps[://]evil[.]example/a', 'url', 'https://evil.example/a', true],
  ['hxxp://1[.]2[.]3[.]4/x', 'url', 'http://1.2.3.4/x', true],
  ['evil.example/login', 'url', 'http://evil.example/login'],
  [HEX, 'hash', HEX],
  [HEX.toUpperCase(), 'hash', HEX],
  [HEX.slice(0, 8).repeat(5), 'hash', HEX.slice(0, 8).repeat(5)],
  [HEX.repeat(2), 'hash', HEX.repeat(2)],
  [HEX.repeat(4), 'hash', HEX.repeat(4)],
  ['Someone@Evil.example', 'email', 'someone@evil.example'],
  ['someone[at]evil[dot]example', 'email', 'someone@evil.example', true],
  ['CVE-2026-12345', 'cve', 'cve-2026-12345'],
  ['AS64500', 'asn', '64500'],
  ['asn 64500', 'asn', '64500'],
  [`ip-${HEX.repeat(2)}`, 'id', `ip-${HEX.repeat(2)}`],
  ['mirai', 'text', 'mirai'],
  ['a botnet of cameras', 'text', 'a botnet of cameras'],
  ['198.51.100.300', 'text', '198.51.100.300'],
  ['64500', 'text', '64500'],
  ['cve-2026', 'text', 'cve-2026'],
  ['someone@localhost', 'text', 'someone@localhost'],
  ['', 'text', ''],
]

for (const [given, kind, value, defanged = false] of cases)
  test(`${JSON.stringify(given.slice(0, 40))} is ${kind}`, () =>
    expect(recognise(given)).toMatchObject({ kind, value, defanged }))

test('it tells which digest, and why nothing can be known', () => {
  expect(recognise(HEX.repeat(2)).label).toBe('SHA-256 hash')
  expect(recognise('192.168.0.1').note).toMatch('private')
  expect(recognise('198.51.100.7:443').note).toMatch('443')
})

test('a megabyte takes no time', () => {
  const begun = performance.now()
  for (const text of ['a'.repeat(1e6), '['.repeat(1e6), '1.'.repeat(5e5), ' '.repeat(1e6)]) recognise(text)
  expect(performance.now() - begun).toBeLessThan(500)
})
