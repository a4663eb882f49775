import { describe, expect, test } from 'vitest'
import { collect, type SaidItem, summary } from '../../../../builders/feeds/collect-feed.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
const stix = (objects: object[], options = {}): Promise<SaidItem[]> =>
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
        object: { id: 'indicator--1', version: '' },
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
      {
        line: 1,
        rejected: 'a yara pattern is a detection rule, not an indicator',
        raw: 'indicator--1 rule a {}',
        object: { id: 'indicator--1', version: '' },
      },
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
    { object: { type: 'attack-pattern', name: 'Phishing' }, want: ['1: threat Phishing'] },
    { object: { type: 'tool', name: 'PsExec' }, want: ['1: value PsExec'] },
    { object: { type: 'process', command_line: 'a.exe -x', name: 'a.exe' }, want: ['1: command a.exe -x'] },
    { object: { type: 'process', name: 'a.exe' }, want: ['1: process a.exe'] },
    { object: { type: 'process', pid: 7 }, want: ['1: process without "command_line"'] },
    { object: { type: 'directory', path: 'C:\\Temp' }, want: ['1: path C:\\Temp'] },
    { object: { type: 'user-account', user_id: 'eve' }, want: ['1: username eve'] },
    { object: { type: 'software', name: 'Word', cpe: 'cpe:2.3:a:b:c' }, want: ['1: cpe cpe:2.3:a:b:c'] },
    { object: { type: 'software', name: 'Word' }, want: ['1: value Word'] },
    { object: { type: 'artifact', hashes: { MD5 } }, want: [`1: file ${MD5}`] },
    { object: { type: 'email-message', message_id: '<1@x>', subject: 'Hi' }, want: ['1: email <1@x>'] },
    { object: { type: 'email-message', subject: 'Hi' }, want: ['1: email-subject Hi'] },
    { object: { type: 'email-message' }, want: ['1: email-message without "message_id"'] },
    { object: { type: 'network-traffic' }, want: ['1: network-traffic without a known source or destination'] },
    {
      object: { type: 'course-of-action', name: 'x' },
      want: ['1: the catalogue has no type for STIX "course-of-action"'],
    },
    ...['identity', 'report', 'grouping', 'note', 'opinion', 'observed-data'].map((type) => ({
      object: { type, name: 'about others', object_refs: ['x--1'] },
      want: [],
    })),
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

describe('a STIX object with other names', () => {
  for (const [type, kind] of [
    ['threat-actor', 'adversary'],
    ['intrusion-set', 'group'],
    ['malware', 'malware'],
    ['campaign', 'threat'],
    ['tool', 'value'],
  ] as const)
    test(`of type ${type} is associated with each`, async () => {
      const object = {
        type,
        id: 'x',
        name: 'Bear',
        aliases: ['Fancy', 'Bear', ' '],
        x_mitre_aliases: ['Fancy', 'Sofa'],
      }
      const [item] = await stix([object])
      expect(item).toMatchObject({
        entity: {
          associations: ['Fancy', 'Sofa'].map((name) => ({
            mode: 'association',
            type: kind,
            attributes: { [kind]: name },
          })),
        },
      })
    })

  test('keeps those that can be names', async () => {
    const [item] = await stix([{ type: 'malware', id: 'x', name: 'Evil', aliases: ['x'.repeat(1_000_000), 'Bad'] }])
    expect(item).toMatchObject({ entity: { associations: [{ attributes: { malware: 'Bad' } }] } })
  })

  test('a technique has its number, a tool its kind', async () => {
    const external_references = [{ source_name: 'x' }, { source_name: 'mitre-attack', external_id: 'T1566' }]
    const items = await stix([
      { type: 'attack-pattern', id: 'a', name: 'Phishing', external_references },
      { type: 'tool', id: 'b', name: 'PsExec' },
    ])
    expect(items).toMatchObject([
      { entity: { reputation: null, attributes: { category: 'attack-pattern', text: 'T1566' } } },
      { entity: { reputation: null, attributes: { category: 'tool' } } },
    ])
  })
})

describe('what a STIX object says of its own statement', () => {
  test('stands beside the entity', async () => {
    const said = { confidence: 50, valid_from: '2026-01-01T00:00:00Z', valid_until: '2026-02-01T00:00:00.5Z' }
    expect(await stix([indicator(IP, said)])).toMatchObject([
      { confidence: 50, validFrom: Date.UTC(2026, 0, 1), validUntil: Date.UTC(2026, 1, 1) + 500 },
    ])
  })

  test('is left out where it is none', async () => {
    for (const said of [{ confidence: 'high', valid_until: 'soon' }, { confidence: 101 }, { confidence: -1 }])
      expect(Object.keys((await stix([indicator(IP, said)]))[0]!)).toEqual(['line', 'entity', 'object'])
  })
})

describe('a STIX sighting', () => {
  const sighting = { type: 'sighting', id: 'sighting--1', sighting_of_ref: 'indicator--1' }

  test('says that the entity was seen, when, and beside what', async () => {
    const observed = { type: 'observed-data', id: 'o', object_refs: ['d', 'gone'] }
    const seen = { ...sighting, last_seen: '2026-03-01T00:00:00Z', observed_data_refs: ['o', 'p'], labels: ['seen'] }
    const items = await stix([indicator(IP), seen, observed, { type: 'domain-name', id: 'd', value: 'evil.example' }])
    expect(summary(items)).toEqual(['1: ip 8.8.8.8', '2: domain evil.example', '3: ip 8.8.8.8'])
    expect(items[2]).toMatchObject({
      seenAt: Date.UTC(2026, 2, 1),
      entity: { reputation: null, tags: ['seen'], associations: [{ type: 'domain' }] },
    })
  })

  test('of nothing that is kept is rejected, and one that counts 0 says nothing', async () => {
    expect(summary(await stix([sighting]))).toEqual(['1: a sighting of indicator--1, which is not an entity'])
    expect(await stix([indicator(IP), { ...sighting, count: 0 }])).toHaveLength(1)
  })
})

describe('a STIX document', () => {
  const address = { type: 'ipv4-addr', value: '8.8.8.8' }
  const read = async (document: unknown) => summary(await collect(JSON.stringify(document), { format: 'stix' }))

  test('may be a bundle, an envelope, a list or one object', async () => {
    for (const document of [
      { type: 'bundle', objects: [address] },
      { more: false, objects: [address] },
      [address],
      address,
    ])
      expect(await read(document)).toEqual(['1: ip 8.8.8.8'])
    expect(await read({ type: 'bundle', objects: [] })).toEqual([])
  })

  for (const document of [{ list: [] }, [], [7], [{ Event: {} }], { type: 'bundle' }, 'x', null])
    test(`${JSON.stringify(document)} is none`, async () =>
      await expect(read(document)).rejects.toThrow('not a STIX bundle: expected'))

  test('of STIX 2.0 has observables inside of others', async () => {
    const objects = {
      0: { type: 'ipv4-addr', value: '8.8.8.8' },
      1: { type: 'network-traffic', dst_ref: '0', dst_port: 53, protocols: ['ipv4', 'udp'], src_ref: '2' },
      2: { type: 'ipv4-addr', value: '9.9.9.9' },
    }
    const [, traffic] = await stix([
      { type: 'observed-data', id: 'o', objects },
      { ...address, id: 'other' },
    ])
    expect(traffic).toMatchObject({
      entity: {
        type: 'ip',
        attributes: { ip: '8.8.8.8', port: '53/udp' },
        associations: [{ attributes: { ip: '9.9.9.9' } }],
      },
    })
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
    expect(summary(items)).toEqual(['1: ip 8.8.8.8', '2: a relationship with identity--1, which is not an entity'])
  })

  test('may be a reference of an observable', async () => {
    const items = await stix([
      { type: 'domain-name', id: 'd', value: 'evil.example', resolves_to_refs: ['i', 'gone'] },
      { type: 'ipv4-addr', id: 'i', value: '8.8.8.8' },
    ])
    expect(items[0]).toMatchObject({ entity: { associations: [{ type: 'ip', attributes: { ip: '8.8.8.8' } }] } })
  })

  test('holds for every value of a pattern', async () => {
    const both = indicator("[ipv4-addr:value = '8.8.8.8' OR ipv4-addr:value = '9.9.9.9']")
    const items = await stix([both, malware, relationship('malware--1')])
    expect(items.slice(0, 2)).toMatchObject(Array(2).fill({ entity: { associations: [{ type: 'malware' }] } }))
  })

  for (const name of ['resolves_to_refs', 'belongs_to_refs', 'contains_refs', 'sample_refs', 'to_refs', 'child_refs'])
    test(`may be ${name}`, async () => {
      const items = await stix([
        { type: 'domain-name', id: 'd', value: 'evil.example', [name]: ['i'] },
        { type: 'ipv4-addr', id: 'i', value: '8.8.8.8' },
      ])
      expect(items[0]).toMatchObject({ entity: { associations: [{ type: 'ip' }] } })
    })

  test('is none to the producer, or to what an object is made of', async () => {
    const address = { type: 'ipv4-addr', id: 'i', value: '8.8.8.8', created_by_ref: 'd', object_refs: ['d'] }
    const items = await stix([address, { type: 'domain-name', id: 'd', value: 'evil.example' }])
    expect(items[0]).not.toHaveProperty('entity.associations')
  })

  test('with what is no value of its type leaves the other end as it is', async () => {
    const bad = { type: 'ipv4-addr', id: 'malware--1', value: '999.1.1.1' }
    const items = await stix([indicator(IP), bad, relationship('malware--1')])
    expect(items[0]).not.toHaveProperty('entity.associations')
    expect(summary(items)[2]).toBe('3: a relationship with malware--1, which is not an entity')
  })

  test('stand in several statements where one has no room for them, and in one claim', async () => {
    const many = Array.from({ length: 250 }, (_, i) => ({ type: 'malware', id: `m${i}`, name: `Evil ${i}` }))
    const items = await stix([indicator(IP), ...many, ...many.map(({ id }) => relationship(id))])
    const stated = items.flatMap((item) => ('entity' in item ? [item.entity] : [])).slice(0, 3)
    expect(stated.map(({ reputation, associations = [] }) => [reputation, associations.length])).toEqual([
      [-3, 100],
      [null, 100],
      [null, 50],
    ])
    const named = stated.flatMap(({ associations = [] }) => associations.map(({ attributes }) => attributes.malware))
    expect(new Set(named).size).toBe(250)
  })
})

test('another document is no bundle', async () => {
  await expect(collect('{"list": []}', { format: 'stix' })).rejects.toThrow('not a STIX bundle')
})
