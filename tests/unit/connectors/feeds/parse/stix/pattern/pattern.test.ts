import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alternativeEntities } from '../../../../../../../connectors/feeds/parse/stix/pattern/comparison.ts'
import { readPattern } from '../../../../../../../connectors/feeds/parse/stix/pattern/pattern.ts'

const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** `type value` of every entity of a pattern, or the reason for which it has none. */
function entities(pattern: string): string[] | string {
  const alternatives = readPattern(pattern)
  if ('reason' in alternatives) return alternatives.reason
  const found: string[] = []
  for (const alternative of alternatives) {
    const read = alternativeEntities(alternative)
    if ('reason' in read) return read.reason
    for (const { type, value, attributes } of read) {
      found.push([type, value, ...Object.entries(attributes).map(([name, text]) => `${name}=${text}`)].join(' '))
    }
  }
  return found
}

const SEVERAL = 'the pattern requires several conditions at once, so no single value is an indicator'
const cases: [string, string[] | string][] = [
  ["[ipv4-addr:value = '8.8.8.8']", ['ip 8.8.8.8']],
  ["[ipv4-addr:value='8.8.8.0/24']", ['cidr 8.8.8.0/24']],
  ["[ipv6-addr:value = '2001:4860::/128']", ['ip 2001:4860::']],
  ["[domain-name:value = 'www.evil.example']", ['hostname www.evil.example']],
  ["[url:value = 'http://evil.example/it\\'s']", ["url http://evil.example/it's"]],
  [`[file:hashes.'SHA-256' = '${SHA256}']`, [`sha256 ${SHA256}`]],
  [`[file:hashes.MD5 = 'a' OR file:hashes."SHA-1" = "b"]`, ['md5 a', 'sha1 b']],
  ["[file:hashes.MD5 = 'a' ; file:name = 'b']", 'the pattern has a syntax error at character 24'],
  [
    "[file:hashes.'SHA-1' = 'b' AND file:name = 'a.exe' AND file:size = 12]",
    ['sha1 b filename=a.exe size-in-bytes=12'],
  ],
  ["[file:hashes.MD5 = 'a' AND file:hashes.'SHA-1' = 'b']", ['md5 a', 'sha1 b']],
  ["[email-addr:value = 'a@evil.example']", ['email-address a@evil.example']],
  ["[mutex:name = 'M']", ['value M category=mutex']],
  ['[autonomous-system:number = 64500]', ['asn 64500']],
  ["[x509-certificate:hashes.'SHA-256' = 'ab']", ['certificate-fingerprint ab']],
  ["[ipv4-addr:value = '8.8.8.8' OR (ipv4-addr:value = '9.9.9.9')]", ['ip 8.8.8.8', 'ip 9.9.9.9']],
  ["[ipv4-addr:value IN ('8.8.8.8','9.9.9.9')]", ['ip 8.8.8.8', 'ip 9.9.9.9']],
  [
    "[domain-name:value = 'a.example'] OR ([url:value = 'http://b.example/'])",
    ['domain a.example', 'url http://b.example/'],
  ],
  ["[network-traffic:dst_ref.value = '8.8.8.8' AND network-traffic:dst_port = 443]", ['ip 8.8.8.8 port=443/tcp']],
  ["[process:name = 'a.exe']", ['process a.exe']],
  ["[process:image_ref.name = 'a.exe']", ['filename a.exe']],
  ["[file:path = '/tmp/a']", ['path /tmp/a']],
  ["[file:parent_directory_ref.path = '/tmp']", ['path /tmp']],
  ["[directory:path = '/tmp']", ['path /tmp']],
  ["[email-message:to_refs[*].value = 'a@evil.example']", ['email-address a@evil.example']],
  ["[file:hashes.MD5 = 'a' AND file:path = '/tmp/a' AND file:mime_type = 'a/b']", ['md5 a path=/tmp/a mime-type=a/b']],
  [
    "[network-traffic:dst_ref.type = 'ipv4-addr' AND network-traffic:dst_ref.value = '8.8.8.8' AND " +
      "network-traffic:dst_port = 53 AND network-traffic:protocols[*] = 'udp']",
    ['ip 8.8.8.8 port=53/udp'],
  ],
  ["[network-traffic:dst_ref.value = '8.8.8.8' AND network-traffic:is_active = 'x']", SEVERAL],
  ["[domain-name:value = 'a.example' AND url:value = 'http://b.example/']", SEVERAL],
  ["[file:name = 'a' AND file:size = 1]", SEVERAL],
  ["[network-traffic:src_ref.value = '8.8.8.8' AND network-traffic:dst_ref.value = '9.9.9.9']", SEVERAL],
  ["[(file:name = 'a' OR file:name = 'b') AND file:size = 1]", SEVERAL],
  [
    "[network-traffic:dst_ref.value = '203.0.113.1' AND (network-traffic:dst_port = 80 OR network-traffic:dst_port = 81)]",
    ['ip 203.0.113.1 port=80/tcp', 'ip 203.0.113.1 port=81/tcp'],
  ],
  ["[domain-name:value LIKE '%.example']", 'the pattern compares with "LIKE", which names no single value'],
  ["[domain-name:value LIKE 'a.example']", ['domain a.example']],
  ["[domain-name:value MATCHES '^a\\\\.example$']", ['domain a.example']],
  ["[domain-name:value MATCHES '^a.example$']", 'the pattern compares with "MATCHES", which names no single value'],
  ["[domain-name:value MATCHES 'a\\\\.example']", 'the pattern compares with "MATCHES", which names no single value'],
  ["[domain-name:value MATCHES '^a\\\\d$']", 'the pattern compares with "MATCHES", which names no single value'],
  ["[ipv4-addr:value ISSUBSET '198.51.100.128/27']", ['cidr 198.51.100.128/27']],
  ["[ipv4-addr:value ISSUBSET '198.51.100.1/32']", ['ip 198.51.100.1']],
  ["[network-traffic:dst_ref.value ISSUBSET '2001:db8:dead:beef::/64']", ['cidr 2001:db8:dead:beef::/64']],
  ["[domain-name:value ISSUBSET 'a.example']", 'the pattern compares with "ISSUBSET", which names no single value'],
  [
    "[ipv4-addr:value ISSUPERSET '198.51.100.1/32']",
    'the pattern compares with "ISSUPERSET", which names no single value',
  ],
  ['[file:size > 100]', 'the pattern compares with ">", which names no single value'],
  ["[domain-name:value != 'a.example']", 'the pattern compares with "!=": it names what is excluded'],
  ["[ipv4-addr:value NOT ISSUBSET '8.8.8.0/24']", 'the pattern compares with "NOT": it names what is excluded'],
  [
    "[domain-name:value = 'a.example' OR domain-name:value != 'b.example']",
    'the pattern compares with "!=": it names what is excluded',
  ],
  ["[NOT ipv4-addr:value = '8.8.8.8']", 'the pattern uses "NOT", which does not name a value'],
  ["[ipv4-addr:value = '8.8.8.8'] AND [ipv4-addr:value = '9.9.9.9']", 'the pattern uses "AND" between observations'],
  ["[ipv4-addr:value = '8.8.8.8'] WITHIN 5 SECONDS", ['ip 8.8.8.8']],
  ["[ipv4-addr:value = '8.8.8.8'] REPEATS 5 TIMES WITHIN 1800 SECONDS", ['ip 8.8.8.8']],
  ["([ipv4-addr:value = '8.8.8.8'] OR [ipv4-addr:value = '9.9.9.9']) REPEATS 2 TIMES", ['ip 8.8.8.8', 'ip 9.9.9.9']],
  [
    "[network-traffic:dst_ref.type = 'domain-name' AND network-traffic:dst_ref.value = 'example.com'] REPEATS 5 TIMES WITHIN 1800 SECONDS",
    ['domain example.com'],
  ],
  ["[ipv4-addr:value = '8.8.8.8'] REPEATS 0 TIMES", 'the pattern has no number after REPEATS'],
  ["[ipv4-addr:value = '8.8.8.8'] REPEATS 5", 'the pattern uses "REPEATS" between observations'],
  [
    "[ipv4-addr:value = '8.8.8.8'] START t'2026-02-01T00:00:00Z' STOP t'2026-01-01T00:00:00Z'",
    'the pattern has no time between START and STOP',
  ],
  ["[ipv4-addr:value = '8.8.8.8'] FOLLOWEDBY [file:name = 'a']", 'the pattern uses "FOLLOWEDBY" between observations'],
  ["([file:hashes.MD5 = 'a'] AND [file:name = 'b']) WITHIN 300 SECONDS", 'expected ")" in the pattern, found "AND"'],
  ["[software:name = 'x']", 'the catalogue has no type for "software:name"'],
  ["[file:hashes.SSDEEP = 'x']", 'the catalogue has no type for "file:hashes.SSDEEP"'],
  ["[ipv4-addr:value = '8.8.8.8'", 'expected "]" in the pattern, found "the end"'],
  ['[ipv4-addr:value = ]', 'a value is missing in the pattern'],
  ["ipv4-addr:value = '8.8.8.8'", 'expected "[" in the pattern, found "ipv4-addr:value"'],
  ['', 'expected "[" in the pattern, found "the end"'],
  [`[${'('.repeat(50)}`, 'the pattern is nested deeper than 32'],
  [`[ipv4-addr:value IN (${Array(1_001).fill("'8.8.8.8'").join(',')})]`, 'the pattern has more than 1000 values'],
  ["['".padEnd(70_000, 'x'), 'the pattern is longer than 65536 characters'],
]
for (const [pattern, want] of cases) {
  test(`the pattern ${pattern.slice(0, 90)}`, () => expect(entities(pattern)).toEqual(want))
}

test('a pattern of any text gives entities or a reason, never an exception', () => {
  const word = fc.constantFrom('[', ']', '(', ')', "'", '=', 'AND', 'OR', 'IN', ' ', ',', '\\', 'file:name', "'a'", '5')
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
  fc.assert(fc.property(fc.oneof(text, fc.string()), (pattern) => void entities(pattern)))
})

test('START and STOP bound the time of the value, and of several the common time counts', () => {
  const within = (pattern: string) => {
    const alternatives = readPattern(pattern)
    if ('reason' in alternatives) throw new Error(alternatives.reason)
    const read = alternativeEntities(alternatives[0]!)
    if ('reason' in read) throw new Error(read.reason)
    return read[0]!.during
  }
  const day = (n: number) => Date.UTC(2026, 0, n)
  const time = (n: number) => `t'2026-01-0${n}T00:00:00Z'`
  const value = "[ipv4-addr:value = '203.0.113.1']"
  expect(within(value)).toBeUndefined()
  expect(within(`${value} START ${time(1)} STOP ${time(3)}`)).toEqual({ from: day(1), until: day(3) })
  expect(within(`(${value} START ${time(1)} STOP ${time(3)}) START ${time(2)} STOP ${time(4)}`)).toEqual({
    from: day(2),
    until: day(3),
  })
})
