import { describe, expect, test } from 'vitest'
import type { FeedItem } from '../../../../connectors/feeds/item.ts'
import { collect, summary } from './collect.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
const stix = (objects: object[], options = {}): Promise<FeedItem[]> =>
  collect(JSON.stringify({ type: 'bundle', id: 'bundle--1', objects }), { format: 'stix', ...options })
const indicator = (pattern: string, rest: object = {}) => ({
  type: 'indicator',
  id: 'indicator--1',
  pattern,
  pattern_type: 'stix',
  ...rest,
})
const IP = "[ipv4-addr:value = '8.8.8.8']"

describe('a STIX indicator', () => {
  test('is a claim with its labels as tags', async () => {
    const items = await stix([indicator(IP, { labels: ['botnet'], indicator_types: ['malicious-activity'] })], {
      tags: ['x'],
    })
    expect(items).toEqual([
      {
        line: 1,
        entity: {
          type: 'ip',
          attributes: { ip: '8.8.8.8' },
          reputation: -3,
          tags: ['x', 'botnet', 'malicious-activity'],
        },
      },
    ])
  })

  test('of a benign thing is a sighting', async () => {
    expect(await stix([indicator(IP, { indicator_types: ['benign'] })])).toMatchObject([
      { entity: { reputation: null } },
    ])
  })

  test('of several values is several entities', async () => {
    const items = await stix([indicator("[ipv4-addr:value = '8.8.8.8' OR domain-name:value = 'evil.example']")])
    expect(summary(items)).toEqual(['1: ip 8.8.8.8', '2: domain evil.example'])
  })

  test('that was revoked is left out', async () => expect(await stix([indicator(IP, { revoked: true })])).toEqual([]))

  test('in another pattern language is rejected', async () => {
    const items = await stix([indicator('rule a {}', { pattern_type: 'yara' })])
    expect(items).toEqual([
      { line: 1, rejected: 'a yara pattern is a detection rule, not an indicator', raw: 'indicator--1 rule a {}' },
    ])
  })
})

describe('a STIX object', () => {
  const cases: { object: object; want: string[] }[] = [
    { object: { type: 'ipv4-addr', value: '8.8.8.8' }, want: ['1: ip 8.8.8.8'] },
    { object: { type: 'ipv6-addr', value: '2001:4860::1' }, want: ['1: ip 2001:4860::1'] },
    { object: { type: 'domain-name', value: 'www.evil.example' }, want: ['1: hostname www.evil.example'] },
    { object: { type: 'url', value: 'http://evil.example/' }, want: ['1: url http://evil.example/'] },
    { object: { type: 'email-addr', value: 'a@b.example' }, want: ['1: email-address a@b.example'] },
    { object: { type: 'mac-addr', value: '00:00:5e:00:53:01' }, want: ['1: mac-address 00:00:5e:00:53:01'] },
    { object: { type: 'autonomous-system', number: 64500 }, want: ['1: asn 64500'] },
    { object: { type: 'windows-registry-key', key: 'HKLM\\A' }, want: ['1: regkey HKLM\\A'] },
    { object: { type: 'x509-certificate', hashes: { 'SHA-1': 'ab' } }, want: ['1: certificate-fingerprint ab'] },
    { object: { type: 'x509-certificate' }, want: ['1: x509-certificate without a digest'] },
    { object: { type: 'file', name: 'a.exe' }, want: ['1: filename a.exe'] },
    { object: { type: 'file' }, want: ['1: file without a name and a digest'] },
    { object: { type: 'malware', name: 'Evil' }, want: ['1: malware Evil'] },
    { object: { type: 'threat-actor', name: 'Bad Bear' }, want: ['1: adversary Bad Bear'] },
    { object: { type: 'intrusion-set', name: 'Bad Set' }, want: ['1: group Bad Set'] },
    { object: { type: 'campaign', name: 'C' }, want: ['1: threat C'] },
    { object: { type: 'vulnerability', name: 'CVE-2023-5631' }, want: ['1: cve CVE-2023-5631'] },
    { object: { type: 'malware' }, want: ['1: malware without a name'] },
    { object: { type: 'ipv4-addr' }, want: ['1: ipv4-addr without "value"'] },
    { object: { type: 'attack-pattern', name: 'x' }, want: ['1: the catalogue has no type for STIX "attack-pattern"'] },
    { object: { type: 'identity', name: 'producer' }, want: [] },
  ]
  for (const { object, want } of cases) {
    test(`${JSON.stringify(object)}`, async () =>
      expect(summary(await stix([{ id: 'x--1', ...object }]))).toEqual(want))
  }

  test('that is observed is a sighting, a named threat is a claim', async () => {
    const items = await stix([
      { type: 'ipv4-addr', id: 'a', value: '8.8.8.8' },
      { type: 'malware', id: 'b', name: 'Evil', is_family: true, malware_types: ['bot', 'worm'] },
    ])
    expect(items).toMatchObject([
      { entity: { reputation: null } },
      { entity: { reputation: -3, attributes: { 'malware-type': 'bot', 'malware-family': 'Evil' } } },
    ])
  })

  test('of a file is a file with its digests', async () => {
    const items = await stix([{ type: 'file', id: 'file--u', name: 'a.exe', size: 3, hashes: { MD5, SSDEEP: '3:a' } }])
    expect(items).toMatchObject([
      {
        entity: {
          type: 'file',
          attributes: { file: MD5, md5: MD5, filename: 'a.exe', 'size-in-bytes': '3' },
          associations: [
            { mode: 'aggregation', type: 'md5' },
            { mode: 'association', type: 'filename' },
          ],
        },
      },
    ])
  })
})

describe('a STIX relationship', () => {
  const malware = { type: 'malware', id: 'malware--1', name: 'Evil' }
  const relationship = (target_ref: string) => ({
    type: 'relationship',
    id: 'relationship--1',
    source_ref: 'indicator--1',
    target_ref,
  })

  test('between entities is an association, whatever the order of the objects', async () => {
    const [item] = await stix([relationship('malware--1'), indicator(IP), malware])
    expect(item).toMatchObject({
      entity: { associations: [{ mode: 'association', type: 'malware', attributes: { malware: 'Evil' } }] },
    })
  })

  test('with something else is rejected', async () => {
    const items = await stix([
      indicator(IP),
      relationship('identity--1'),
      { type: 'identity', id: 'identity--1', name: 'p' },
    ])
    expect(summary(items)).toEqual(['1: ip 8.8.8.8', '2: a relationship with identity--1, which is no entity'])
  })

  test('may be a reference of an observable', async () => {
    const items = await stix([
      { type: 'domain-name', id: 'd', value: 'evil.example', resolves_to_refs: ['i', 'gone'] },
      { type: 'ipv4-addr', id: 'i', value: '8.8.8.8' },
    ])
    expect(items[0]).toMatchObject({ entity: { associations: [{ type: 'ip', attributes: { ip: '8.8.8.8' } }] } })
  })

  test('keeps at most 100 links of one entity', async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ type: 'malware', id: `m${i}`, name: `Evil ${i}` }))
    const items = await stix([indicator(IP), ...many, ...many.map(({ id }) => relationship(id))])
    expect((items[0] as { entity: { associations: unknown[] } }).entity.associations).toHaveLength(100)
  })
})

test('another document is no bundle', async () => {
  await expect(collect('{"list": []}', { format: 'stix' })).rejects.toThrow('not a STIX bundle')
})
