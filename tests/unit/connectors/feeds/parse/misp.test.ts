import { describe, expect, test } from 'vitest'
import type { AcceptedItem } from '../../../../../connectors/feeds/parse/item.ts'
import { mapAttribute } from '../../../../../connectors/feeds/parse/misp/attribute.ts'
import { expand } from '../../../../../schemas/intelligence/ingest/expand.ts'
import type { Provenance } from '../../../../../schemas/intelligence/observations/observation.ts'
import { collect, type SaidItem, summary } from '../../../../builders/feeds/collect-feed.ts'

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('a MISP attribute', () => {
  const cases: [string, string, object][] = [
    ['ip-dst', '8.8.8.8', { type: 'ip', value: '8.8.8.8' }],
    ['ip-src', '8.8.8.0/24', { type: 'cidr', value: '8.8.8.0/24' }],
    ['ip-src', '8.8.8.8/32', { type: 'ip', value: '8.8.8.8' }],
    ['ip-dst|port', '8.8.8.8|443', { type: 'ip', value: '8.8.8.8', attributes: { port: '443/tcp' } }],
    ['domain', 'www.evil.example', { type: 'hostname', value: 'www.evil.example' }],
    ['hostname', 'evil.example', { type: 'domain', value: 'evil.example' }],
    ['domain|ip', 'evil.example|8.8.8.8', { type: 'domain', beside: [{ type: 'ip', value: '8.8.8.8' }] }],
    ['hostname|port', 'c2.evil.example|8080', { type: 'hostname', attributes: { port: '8080/tcp' } }],
    ['uri', '/gate.php', { type: 'path', value: '/gate.php' }],
    ['url', 'evil.example/gate.php', { type: 'url', value: 'http://evil.example/gate.php' }],
    [
      'filename|sha256',
      `a|b.exe|${SHA256}`,
      {
        type: 'sha256',
        value: SHA256,
        attributes: { filename: 'a|b.exe' },
        beside: [{ type: 'filename', value: 'a|b.exe' }],
      },
    ],
    ['malware-sample', `a.exe|${MD5}`, { type: 'md5', attributes: { filename: 'a.exe' } }],
    ['regkey|value', 'HKLM\\Run|evil', { type: 'regkey', value: 'HKLM\\Run', attributes: { value: 'evil' } }],
    ['AS', 'AS64500', { type: 'asn', value: '64500' }],
    ['email-src', 'a@evil.example', { type: 'email-address' }],
    ['vulnerability', 'CVE-2023-5631', { type: 'cve' }],
    ['x509-fingerprint-sha1', SHA1, { type: 'certificate-fingerprint' }],
    ['mutex', 'Global\\Evil', { type: 'value', value: 'Global\\Evil', attributes: { category: 'mutex' } }],
    ['comment', 'seen in a dump', { type: 'text' }],
    ['yara', 'rule a {}', { reason: 'yara is a detection rule, not an indicator' }],
    ['attachment', 'report.pdf', { reason: 'an attachment carries a file, not an indicator' }],
    ['first-name', 'Eve', { reason: 'the catalogue has no type for MISP type "first-name"' }],
    ['ip-dst|port', '[2001:db8::212]|443', { type: 'ip', value: '2001:db8::212', attributes: { port: '443/tcp' } }],
    ['ip-dst|port', '2001:db8::212|443', { type: 'ip', value: '2001:db8::212', attributes: { port: '443/tcp' } }],
    ['ip-dst|port', '203.0.113.9:9090', { type: 'ip', value: '203.0.113.9', attributes: { port: '9090/tcp' } }],
    ['ip-dst', '[2001:db8::212]:443', { type: 'ip', value: '2001:db8::212' }],
    ['ip-dst', '203.0.113[.]9', { type: 'ip', value: '203.0.113.9' }],
    ['hostname|port', 'host.evil.example|tcp/4444', { type: 'hostname', attributes: { port: '4444/tcp' } }],
    ['ip-src|port', '203.0.113.9|53/UDP', { type: 'ip', attributes: { port: '53/udp' } }],
    ['regkey|value', 'HKLM\\X|C:\\x|y.exe', { type: 'regkey', value: 'HKLM\\X', attributes: { value: 'C:\\x|y.exe' } }],
    ['ip-dst|port', '203.0.113.9|0', { type: 'ip', attributes: {}, lost: 'the port "0" is not usable' }],
    ['ip-dst|port', '203.0.113.9|80,443', { type: 'ip', attributes: {}, lost: 'the port "80,443" is not usable' }],
    ['ip-dst|port', '203.0.113.9|', { type: 'ip', attributes: {}, lost: 'the port "" is not usable' }],
    ['ip-dst|port', '203.0.113.9', { type: 'ip', lost: 'the value of "ip-dst|port" lacks its second part' }],
    ['domain|ip', 'evil.example|?', { type: 'domain', beside: [], lost: 'the ip "?" is not usable' }],
    ['domain|ip', '|203.0.113.9', { type: 'ip', value: '203.0.113.9', lost: 'the domain is not usable' }],
    ['domain|ip', 'evil.example', { type: 'domain', lost: 'the value of "domain|ip" lacks its second part' }],
    ['filename|md5', MD5, { type: 'md5', lost: 'the value of "filename|md5" lacks its file name or its digest' }],
    ['filename|md5', `|${MD5}`, { type: 'md5', lost: 'the file name is not usable' }],
    ['filename|md5', 'a.exe', { reason: 'the value of "filename|md5" lacks its file name or its digest' }],
    ['ip-dst|port', '?|443', { type: 'ip', value: '?' }],
    ['md5', '  ', { reason: 'the value is empty' }],
  ]
  for (const [type, value, want] of cases) {
    test(`${type} "${value}"`, () => expect(mapAttribute(type, value)).toMatchObject(want))
  }

  test('a digest that is none does not make its file name an indicator', () => {
    expect(mapAttribute('filename|md5', 'a.exe|xyz')).toMatchObject({ type: 'md5', value: 'xyz' })
  })
})

const event = (event: object) => ({ Event: { info: 'Operation Test', ...event } })
const misp = (document: unknown, options = {}): Promise<SaidItem[]> =>
  collect(JSON.stringify(document), { format: 'misp', ...options })
const ids = { type: 'domain', value: 'evil.example', to_ids: true }

describe('a MISP event', () => {
  test('makes claims of what is fit for detection and sightings of the rest', async () => {
    const items = await misp(event({ Attribute: [ids, { type: 'ip-dst', value: '8.8.8.8', to_ids: false }] }))
    expect(items).toMatchObject([{ entity: { reputation: -3 } }, { entity: { reputation: null } }])
  })

  test('gives its title, its tags and the comment to its attributes', async () => {
    const tagged = { ...ids, comment: ' C&C ', Tag: [{ name: 'kill-chain:c2' }] }
    const [item] = await misp(event({ Tag: [{ name: 'tlp:clear' }, { name: 'x'.repeat(300) }], Attribute: [tagged] }), {
      tags: ['mine'],
    })
    expect(item).toEqual({
      line: 1,
      entity: {
        type: 'domain',
        attributes: { domain: 'evil.example', threat: 'Operation Test', text: 'C&C' },
        reputation: -3,
        tags: ['mine', 'kill-chain:c2', 'tlp:clear'],
      },
      marking: 'clear',
    })
  })

  test('is read in every form of export, and items are counted on', async () => {
    const one = event({ Attribute: [ids] })
    for (const document of [{ response: [one, one] }, [one, one]]) {
      expect(summary(await misp(document))).toEqual(['1: domain evil.example', '2: domain evil.example'])
    }
    expect(await misp(one)).toHaveLength(1)
    expect(await misp(one.Event)).toHaveLength(1)
  })

  test('takes a yes in every form that exports have', async () => {
    for (const yes of [true, 1, '1', 'true']) {
      expect(await misp(event({ Attribute: [{ ...ids, to_ids: yes }] }))).toMatchObject([
        { entity: { reputation: -3 } },
      ])
      expect(await misp(event({ Attribute: [{ ...ids, deleted: yes }] }))).toEqual([])
    }
    for (const no of [false, 0, '0', undefined]) {
      const [item] = await misp(event({ Attribute: [{ ...ids, to_ids: no, deleted: no }] }))
      expect(item).toMatchObject({ entity: { reputation: null } })
    }
  })

  test('leaves out what was deleted', async () => {
    const deleted = { ...ids, deleted: true }
    expect(
      await misp(
        event({
          Attribute: [deleted],
          Object: [
            { name: 'url', deleted: true, Attribute: [ids] },
            { name: 'x', Attribute: [deleted] },
          ],
        }),
      ),
    ).toEqual([])
  })

  test('keeps at most 32 tags', async () => {
    const Tag = Array.from({ length: 100 }, (_, i) => ({ name: `t${i}` }))
    const [item] = await misp(event({ Tag, Attribute: [ids] }))
    expect('entity' in item! && item.entity.tags).toHaveLength(32)
  })

  test('an attribute with an odd half is a claim of the other, and the half is told', async () => {
    const odd = { type: 'ip-dst|port', value: '203.0.113.9|0', to_ids: true }
    const items = await misp(event({ Attribute: [odd], Object: [{ name: 'x', Attribute: [odd] }] }))
    const told = 'the port "0" is not usable: the ip is imported without it'
    expect(summary(items)).toEqual(['1: ip 203.0.113.9', `2: ${told}`, '3: ip 203.0.113.9', `4: ${told}`])
  })

  test('names attributes that cannot be used', async () => {
    expect(await misp(event({ Attribute: [{ type: 'yara', value: 'rule a {}', to_ids: true }] }))).toEqual([
      { line: 1, rejected: 'yara is a detection rule, not an indicator', raw: 'yara rule a {}' },
    ])
  })

  for (const document of [{ objects: [] }, [], { response: [{}] }, 7, null]) {
    test(`${JSON.stringify(document)} is refused`, async () => {
      await expect(misp(document)).rejects.toThrow('not a MISP event export')
    })
  }
})

describe('a MISP object', () => {
  const attribute = (type: string, value: string, to_ids = false, object_relation = type) => ({
    type,
    value,
    to_ids,
    object_relation,
  })

  test('of a file becomes a file with its digests, each digest claimed as well', async () => {
    const Attribute = [
      attribute('md5', MD5, true),
      attribute('sha256', SHA256, true),
      attribute('filename', 'a.exe'),
      attribute('size-in-bytes', '12'),
    ]
    const items = await misp(event({ Object: [{ name: 'file', uuid: 'u', Attribute }] }))
    expect(summary(items)).toEqual([`1: file ${MD5}`, `2: md5 ${MD5}`, `3: sha256 ${SHA256}`])
    expect(items[0]).toMatchObject({
      entity: {
        reputation: -3,
        attributes: { md5: MD5, sha256: SHA256, filename: 'a.exe', 'size-in-bytes': '12' },
        associations: [
          { mode: 'aggregation', type: 'md5' },
          { mode: 'aggregation', type: 'sha256' },
          { mode: 'association', type: 'filename' },
        ],
      },
    })
  })

  test('of a file without MD5 is keyed by its own UUID', async () => {
    const uuid = '4c0ac7a0-1b0e-4d6e-9c53-0a8a0a8c2a11'
    const [item] = await misp(event({ Object: [{ name: 'file', uuid, Attribute: [attribute('sha1', SHA1)] }] }))
    expect(item).toMatchObject({ entity: { type: 'file', attributes: { file: uuid, sha1: SHA1 }, reputation: null } })
  })

  test('of another kind is its most telling attribute with the others beside it', async () => {
    const Attribute = [
      attribute('ip-dst', '8.8.8.8'),
      attribute('port', '80'),
      attribute('text', 'https', false, 'scheme'),
      attribute('domain', 'evil.example', true),
    ]
    const items = await misp(event({ Object: [{ name: 'domain-ip', uuid: 'u', Attribute }] }))
    expect(items).toMatchObject([
      { entity: { type: 'domain', reputation: -3, attributes: { port: '80/tcp' }, associations: [{ type: 'ip' }] } },
    ])
    expect('entity' in items[0]! && items[0].entity.attributes).not.toHaveProperty('text')
  })

  test('with an odd attribute loses that alone', async () => {
    const Attribute = [
      attribute('url', 'http://', true),
      attribute('ip-dst', '203.0.113.9', true),
      attribute('port', '0'),
      attribute('datetime', 'yesterday'),
    ]
    const items = await misp(event({ Object: [{ name: 'x', uuid: 'u', Attribute }] }))
    expect(items.find((item) => 'entity' in item && item.entity.type === 'ip')).toMatchObject({
      entity: { reputation: -3, attributes: { ip: '203.0.113.9' } },
    })
    for (const item of items)
      if ('entity' in item && item.entity.type === 'ip')
        expect(Object.keys(item.entity.attributes)).toEqual(['threat', 'ip'])
    expect(items).toHaveLength(4)
  })

  test('that only describes is rejected', async () => {
    const Attribute = [attribute('text', 'ELF64', false, 'type')]
    expect(summary(await misp(event({ Object: [{ name: 'elf', Attribute }] })))).toEqual([
      '1: belongs to an object without an indicator',
    ])
  })

  test('that refers to another is associated with it', async () => {
    const file = {
      name: 'file',
      uuid: 'f',
      Attribute: [attribute('md5', MD5)],
      ObjectReference: [
        { referenced_uuid: 's', relationship_type: 'Detected_By' },
        { referenced_uuid: 'a', relationship_type: 'verweist-über' },
        { referenced_uuid: 'a', relationship_type: 'connects-to' },
        { referenced_uuid: 'nowhere' },
      ],
    }
    const signature = {
      name: 'av-signature',
      uuid: 's',
      Attribute: [
        attribute('text', 'Linux/Evil.A', true, 'signature'),
        attribute('text', 'Scanner', false, 'software'),
      ],
    }
    const url = { name: 'url', uuid: 'u', Attribute: [{ ...attribute('url', 'http://evil.example/'), uuid: 'a' }] }
    const items = await misp(event({ Object: [file, signature, url] }))
    expect(summary(items)).toEqual([`1: file ${MD5}`, '2: malware Linux/Evil.A', '3: url http://evil.example/'])
    expect(items[0]).toMatchObject({
      entity: {
        associations: [
          { type: 'md5' },
          { type: 'malware', relationship: 'detected-by' },
          { type: 'url' },
          { type: 'url', relationship: 'connects-to' },
        ],
      },
    })
    const [beside, , untyped] = (items[0] as AcceptedItem).entity.associations!
    expect([beside, untyped].map((one) => one!.relationship)).toEqual([undefined, undefined])
  })

  test('may refer to an attribute of the event, and a reference that was taken back is none', async () => {
    const file = {
      name: 'file',
      uuid: 'f',
      Attribute: [attribute('md5', MD5)],
      ObjectReference: [{ referenced_uuid: 'a' }, { referenced_uuid: 'b', deleted: true }, { referenced_uuid: 'c' }],
    }
    const Attribute = [
      { ...ids, uuid: 'a' },
      { type: 'ip-dst', value: '8.8.8.8', uuid: 'b' },
      // No address at all: a relation to it would have the file refused.
      { type: 'ip-dst', value: '999.8.8.8', uuid: 'c' },
    ]
    const items = await misp(event({ Attribute, Object: [file] }))
    expect(items[3]).toMatchObject({ entity: { associations: [{ type: 'md5' }, { type: 'domain' }] } })
    expect((items[3] as AcceptedItem).entity.associations).toHaveLength(2)
  })

  test('reads into entities that ingest accepts', async () => {
    const Attribute = [
      attribute('md5', MD5, true),
      attribute('sha1', SHA1),
      attribute('filename', 'a.exe'),
      attribute('text', '/tmp/a', false, 'path'),
    ]
    const [item] = await misp(event({ Object: [{ name: 'file', uuid: 'u', Attribute }] }))
    const provenance: Provenance = {
      userId: 'u',
      source: 's',
      sourceKind: 'feed',
      trust: 1,
      kind: 'report',
      audience: ['public'],
      observedAt: Date.now(),
    }
    const expanded = expand((item as AcceptedItem).entity, provenance, { submissionId: 's', nextId: () => 'i' })
    const types = expanded.ok ? expanded.observations.map(({ type }) => type) : expanded.message
    expect(types).toEqual(['file', 'md5', 'sha1', 'filename', 'path'])
  })
})
