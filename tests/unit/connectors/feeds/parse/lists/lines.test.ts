import { describe, expect, test } from 'vitest'
import { collect, summary } from '../../../../../builders/feeds/collect-feed.ts'

const lines = (text: string, options = {}) => collect(text, { format: 'lines', ...options })

describe('a line beside whose value stands something that is known is read', () => {
  const cases: [string, string[]][] = [
    ['203.0.113.9 # seen today', ['1: ip 203.0.113.9']],
    ['192.0.2.0/25 ; SBL900001', ['1: cidr 192.0.2.0/25']],
    ['203.0.113.26#scanner', ['1: ip 203.0.113.26']],
    ['203.0.113.26#4#2#Malicious Host#CN', ['1: ip 203.0.113.26']],
    ['http://bad.example.com/a#b', ['1: url http://bad.example.com/a#b']],
    ['203.0.113.20 (WEB01)', ['1: ip 203.0.113.20']],
    ['203.0.113.20 [WEB 01, second floor]', ['1: ip 203.0.113.20']],
    ['203[.]0[.]113[.]20 (x)', ['1: ip 203.0.113.20']],
    ['203.0.113.20\t12', ['1: ip 203.0.113.20']],
    ['192.0.2.0/25 12', ['1: cidr 192.0.2.0/25']],
    ['"203.0.113.24",', ['1: ip 203.0.113.24']],
    ['203.0.113.25,', ['1: ip 203.0.113.25']],
    ['0.0.0.0 a.example.com b.example.com # two', ['1: hostname a.example.com', '1: hostname b.example.com']],
    ['0 a.example.com#note', ['1: hostname a.example.com']],
    ['255.255.255.255 broadcasthost\n::1 ip6-localhost ip6-loopback\nfe80::1%lo0 localhost', []],
  ]
  for (const [text, want] of cases) test(text, async () => expect(summary(await lines(text))).toEqual(want))
})

describe('a line of which only a part would be understood is refused with the whole of it', () => {
  const cases: [string, RegExp][] = [
    ['203.0.113.9 scanner', /"scanner" after the value is neither a comment .* nor a label/],
    ['192.0.2.0\t192.0.2.255\t24\t53505\tNAME', /--format ranges reads start and end/],
    ['http://bad.example.com/?q=a b', /a blank inside of a URL: write %20/],
    ['http://bad.example.com/?q=a 12', /a blank inside of a URL/],
    ['http://bad.example.com/a (b)', /a URL or path, and after a blank/],
    ['bad.example.com/a 12', /"12" after the value/],
    ['a.example.com b.example.com', /"b.example.com" after the value/],
    ['host: 203.0.113.23', /"203.0.113.23" after the value/],
    ['192.0.2.0 24', /may be a count or the length of a prefix; write 192.0.2.0\/24/],
    ['0.0.0.0 a.example.com no_name', /"no_name" is not a domain name/],
    ['203.0.113.9 a.example.com', /"a.example.com" after the value/],
    ['example.com##.banner', /a rule of a filter list: --format abp/],
    ['||bad.example.com^', /a rule of a filter list: --format abp/],
    ['local-zone: "bad.example.com" static', /configuration of Unbound: --format unbound/],
    ['address=/bad.example.com/', /configuration of dnsmasq/],
    ['bad.example.com CNAME .', /a record of a zone: --format rpz/],
    ['{"cidr": "192.0.2.0/25"}', /a JSON object: --format jsonl/],
    ['Some bad place:203.0.113.32-203.0.113.47', /--format ranges/],
    ['143.404.146.87:8080', /not an address of IPv4/],
    ['203.0.113.9;c2', /several columns: --format csv/],
    ['198.51.100.0/24,SBL1', /several columns: --format csv/],
    ['203.0.113.9-bad', /not an indicator of a known kind/],
  ]
  for (const [text, why] of cases)
    test(text, async () => {
      expect(await lines(text)).toEqual([{ line: 1, rejected: expect.stringMatching(why), raw: text }])
    })
})

test('tags that are asked for are no end of a range and no netmask', async () => {
  const text = ['203.0.113.9 botnet c2', '192.0.2.0 192.0.2.255 24', '192.0.2.0 /24', '192.0.2.0 - x'].join('\n')
  expect(summary(await lines(text, { trailingTags: true }))).toEqual([
    '1: ip 203.0.113.9',
    '2: "192.0.2.255" after the value is no tag',
    '3: cidr 192.0.2.0/24',
    '4: "-" after the value is no tag',
  ])
})

test('a type whose values have blanks takes the whole line, apart from a comment between blanks', async () => {
  const text = 'Mozilla/5.0 (X11; Linux) # a bot\nC:\\Program Files\\a #1.exe'
  expect(summary(await lines(text, { type: 'filename' }))).toEqual([
    '1: filename Mozilla/5.0 (X11; Linux)',
    '2: filename C:\\Program Files\\a #1.exe',
  ])
})

describe('a given type of hosts', () => {
  test('takes a port and a label beside the value', async () => {
    expect(await lines('203.0.113.27:4443\n203.0.113.28 (DC01)', { type: 'ip' })).toMatchObject([
      { entity: { attributes: { ip: '203.0.113.27', port: '4443/tcp' } } },
      { entity: { attributes: { ip: '203.0.113.28' } } },
    ])
  })

  test('refuses a value of another one, and says what it is', async () => {
    expect(summary(await lines('bad.example.com\n192.0.2.0/24\n192.0.2.0-192.0.2.255', { type: 'ip' }))).toEqual([
      '1: not of the type ip, but of hostname',
      '2: not of the type ip, but of cidr',
      '3: 192.0.2.0/24 is not of the type ip',
    ])
  })
})

test('a line takes time by its length', async () => {
  const blanks = ' '.repeat(60_000)
  const started = performance.now()
  await lines([`203.0.113.9${blanks}x`, `203.0.113.9 ${'('.repeat(60_000)})`, `a${'-'.repeat(60_000)}`].join('\n'))
  expect(performance.now() - started).toBeLessThan(2_000)
})
