import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { MAX_LEVELS } from '../../../../../schemas/intelligence/ingest/expand.ts'
import type {
  Link,
  LinkMode,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../../../schemas/intelligence/observations/observation.ts'
import {
  chain,
  domain,
  expanded,
  ip,
  observations,
  provenance,
  refusal,
} from '../../../../builders/intelligence/submission.ts'

const link = (mode: LinkMode, type: string, value: string, relationship: string | null = null): Link => ({
  mode,
  entityId: entityId(type, value),
  relationship,
})
const values = (entity: SubmittedEntity): string[] => observations(entity).map(({ value }) => value)

describe('one entity', () => {
  test('becomes one observation in normal form, without its main attribute among the others', () => {
    const given = ip({
      attributes: { port: '443/TCP', ip: '::ffff:8.8.8.8', asn: 15169 },
      reputation: -2,
      tags: ['C2'],
    })
    expect(expanded(given, { audience: ['team-a'] })).toEqual({
      ok: true,
      entityId: entityId('ip', '8.8.8.8'),
      observations: [
        {
          ...provenance({ audience: ['team-a'] }),
          id: 'o1',
          submissionId: 's1',
          entityId: entityId('ip', '8.8.8.8'),
          type: 'ip',
          value: '8.8.8.8',
          attributes: { port: '443/tcp', asn: '15169' },
          reputation: -2,
          tags: ['c2'],
          links: [],
          covers: false,
          retracted: null,
          covered: false,
          verdict: null,
        },
      ],
    })
  })
  test('without a reputation is a sighting; a reputation of 0 is a claim', () => {
    expect(observations(ip())[0]!.reputation).toBeNull()
    expect(observations(ip({ reputation: null }))[0]!.reputation).toBeNull()
    expect(observations(ip({ reputation: 0 }))[0]!.reputation).toBe(0)
    expect(Object.is(observations(ip({ reputation: -0 }))[0]!.reputation, 0)).toBe(true)
  })
  test('carries its tags trimmed, lower-cased, distinct and sorted', () => {
    expect(observations(ip({ tags: [' Zeus', 'botnet', 'ZEUS', 'Bot\tNet '] }))[0]!.tags).toEqual([
      'bot net',
      'botnet',
      'zeus',
    ])
  })
  test('may carry any type of the catalogue as an attribute', () => {
    expect(observations(ip({ attributes: { ip: '8.8.8.8', country: 'us', text: 'Note' } }))[0]!.attributes).toEqual({
      country: 'United States',
      text: 'note',
    })
  })
})

describe('correlate', () => {
  const file = (correlate: string[], given: Partial<SubmittedEntity> = {}): SubmittedEntity => ({
    type: 'malware',
    attributes: { malware: 'emotet', 'malware-family': 'Geodo', 'malware-type': 'loader' },
    reputation: -3,
    tags: ['x'],
    correlate,
    ...given,
  })
  test('makes an entity of each named attribute and links it to the root by association', () => {
    const [root, family, kind, ...rest] = observations(file(['malware-type', 'malware-family']))
    expect(rest).toEqual([])
    expect(root!.links).toEqual([
      link('association', 'malware-type', 'loader'),
      link('association', 'malware-family', 'geodo'),
    ])
    expect([family!.type, kind!.type]).toEqual(['malware-type', 'malware-family'])
    for (const child of [family!, kind!])
      expect(child).toMatchObject({ attributes: {}, reputation: null, tags: [], links: [], audience: ['public'] })
  })
  test('of the main attribute adds nothing: that entity is the root', () => {
    const [root, ...rest] = observations(file(['malware']))
    expect([root!.links, rest]).toEqual([[], []])
  })
  test('of the same attribute twice adds it once', () => {
    const [root, ...rest] = observations(file(['malware-type', 'malware-type']))
    expect([root!.links.length, rest.length]).toEqual([1, 1])
  })
  test('of what is also an association collapses with it', () => {
    const same: SubmittedAssociation = {
      mode: 'association',
      type: 'malware-type',
      attributes: { 'malware-type': 'LOADER' },
    }
    const [root, ...rest] = observations(file(['malware-type'], { associations: [same] }))
    expect([root!.links.length, rest.length]).toEqual([1, 1])
  })
})

describe('associations', () => {
  test('become entities in document order, each linked from the one it stands in, with its mode', () => {
    const all = observations(
      ip({
        associations: [
          domain('a.com', { mode: 'aggregation', associations: [domain('b.com'), domain('c.com')] }),
          domain('d.com'),
        ],
      }),
    )
    expect(all.map(({ id, value }) => [id, value])).toEqual([
      ['o1', '8.8.8.8'],
      ['o2', 'a.com'],
      ['o3', 'b.com'],
      ['o4', 'c.com'],
      ['o5', 'd.com'],
    ])
    expect(all[0]!.links).toEqual([link('aggregation', 'domain', 'a.com'), link('association', 'domain', 'd.com')])
    expect(all[1]!.links).toEqual([link('association', 'domain', 'b.com'), link('association', 'domain', 'c.com')])
    expect(all.slice(2).flatMap(({ links }) => links)).toEqual([])
  })
  test('inherit the audience, the source and the time, but neither reputation nor tags', () => {
    const [, child] = observations(ip({ reputation: -3, tags: ['c2'], associations: [domain('a.com')] }), {
      audience: ['team-a'],
      source: 'customer-9',
    })
    expect(child).toMatchObject({ audience: ['team-a'], source: 'customer-9', reputation: null, tags: [] })
  })
  test('that repeat one another exactly collapse into the first', () => {
    const twice = [
      domain('a.com', { attributes: { domain: 'a.com', port: '80/tcp', text: 'x' } }),
      domain('A.com.', { attributes: { text: 'X', port: '80/TCP', domain: 'a.com' } }),
    ]
    expect(values(ip({ associations: twice }))).toEqual(['8.8.8.8', 'a.com'])
  })
  test('of one entity with different content are two observations', () => {
    const both = [domain('a.com'), domain('a.com', { attributes: { domain: 'a.com', port: '80/tcp' } })]
    expect(values(ip({ associations: both }))).toEqual(['8.8.8.8', 'a.com', 'a.com'])
  })
  test('of one entity with different links are two observations', () => {
    const both = [domain('a.com'), domain('a.com', { associations: [domain('b.com')] })]
    expect(values(ip({ associations: both }))).toEqual(['8.8.8.8', 'a.com', 'a.com', 'b.com'])
  })
  test('of one entity in both modes are one observation and two links', () => {
    const [root, ...rest] = observations(
      ip({ associations: [domain('a.com'), domain('a.com', { mode: 'aggregation' })] }),
    )
    expect(root!.links.map(({ mode }) => mode)).toEqual(['association', 'aggregation'])
    expect(rest).toHaveLength(1)
  })
  test('of one entity with several relationship types are one observation and as many links, each once', () => {
    const types = ['uses', undefined, 'resolves-to', 'uses', null]
    const [root, ...rest] = observations(
      ip({
        associations: types.map((relationship) => domain('a.com', relationship === undefined ? {} : { relationship })),
      }),
    )
    expect(root!.links).toEqual(
      ['uses', null, 'resolves-to'].map((type) => link('association', 'domain', 'a.com', type)),
    )
    expect(rest).toHaveLength(1)
  })
  test('that differ in their relationship types below are two observations', () => {
    const both = ['uses', 'drops'].map((relationship) =>
      domain('a.com', { associations: [domain('b.com', { relationship })] }),
    )
    expect(values(ip({ associations: both }))).toEqual(['8.8.8.8', 'a.com', 'b.com', 'a.com'])
  })
  test('never link an entity to itself', () => {
    const self: SubmittedAssociation = { mode: 'association', type: 'ip', attributes: { ip: '8.8.8.8' } }
    expect(observations(ip({ associations: [self] })).map(({ links }) => links)).toEqual([[]])
  })
  test('may be 10 levels deep', () => {
    expect(observations(ip({ associations: chain(MAX_LEVELS) }))).toHaveLength(MAX_LEVELS + 1)
  })
  test('may make 1,000 entities with the root', () => {
    const many = Array.from({ length: 999 }, (_, i) => domain(`n${i}.com`))
    expect(observations(ip({ associations: many }))).toHaveLength(1_000)
  })
})

describe('well-known', () => {
  const marked = (type: string, value: string, covers?: boolean) => {
    const given = { type, attributes: { [type]: value }, ...(covers === undefined ? {} : { covers }) }
    return expanded(given, { kind: 'well_known' })
  }

  test('a mark covers what lies under a cidr, and what lies under a domain when it says so', () => {
    const cases = [
      ['cidr', '8.8.8.0/24', undefined, true],
      ['cidr', '8.8.8.0/24', false, false],
      ['domain', 'example.com', undefined, false],
      ['domain', 'example.com', true, true],
      ['ip', '8.8.8.8', undefined, false],
      ['ip', '8.8.8.8', false, false],
    ] as const
    for (const [type, value, said, covers] of cases)
      expect(marked(type, value, said), `${type} ${said}`).toMatchObject({ ok: true, observations: [{ covers }] })
  })

  test('other types cannot cover, nor can reports', () => {
    expect(marked('ip', '8.8.8.8', true)).toMatchObject({ ok: false, param: 'covers' })
    expect(expanded({ type: 'cidr', attributes: { cidr: '8.8.8.0/24' }, covers: true })).toMatchObject({
      ok: false,
      param: 'covers',
    })
  })

  test('what is associated with a mark that covers does not cover', () => {
    const associations = [{ mode: 'association' as const, type: 'cidr', attributes: { cidr: '9.9.9.0/24' } }]
    const given = { type: 'cidr', attributes: { cidr: '8.8.8.0/24' }, associations }
    expect(expanded(given, { kind: 'well_known' })).toMatchObject({
      observations: [{ covers: true }, { covers: false }],
    })
  })

  test('marks the root and nothing that came with it', () => {
    const all = observations(ip({ associations: [domain('a.com')] }), { kind: 'well_known' })
    expect(all.map(({ kind, reputation }) => [kind, reputation])).toEqual([
      ['well_known', null],
      ['report', null],
    ])
  })
  test('is a sighting: it takes no reputation', () => {
    expect(refusal(ip({ reputation: 3 }), { kind: 'well_known' })).toMatchObject({ param: 'reputation' })
  })
})
