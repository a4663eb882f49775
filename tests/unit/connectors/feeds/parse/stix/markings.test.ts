import { describe, expect, test } from 'vitest'
import { collect, type SaidItem } from '../../../../../builders/feeds/collect-feed.ts'

const TLP1 = {
  clear: 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9',
  green: 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da',
  amber: 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82',
  red: 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed',
}
const TLP2 = {
  clear: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
}
const OWN = 'marking-definition--0b0b0b0b-0000-4000-8000-000000000001'
const EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'

const ip = (rest: object = {}) => ({ type: 'ipv4-addr', id: 'ipv4-addr--1', value: '8.8.8.8', ...rest })
const definition = (rest: object) => ({ type: 'marking-definition', id: OWN, ...rest })
const stix = (objects: object[]): Promise<SaidItem[]> =>
  collect(JSON.stringify({ type: 'bundle', objects }), { format: 'stix' })
const markings = async (objects: object[]) =>
  (await stix(objects)).map((item) => ('entity' in item ? (item.marking ?? null) : item.rejected))

describe('a marking of STIX', () => {
  for (const [version, ids] of Object.entries({ TLP1, TLP2 }))
    for (const [marking, id] of Object.entries(ids))
      test(`${version} ${marking} is known by its id alone, and by no other definition of it`, async () => {
        const object = ip({ object_marking_refs: [id] })
        expect(await markings([object])).toEqual([marking])
        const other = {
          type: 'marking-definition',
          id,
          definition_type: 'statement',
          definition: { statement: 'free' },
        }
        expect(await markings([other, object])).toEqual([marking])
        expect(await markings([ip({ object_marking_refs: [id.toUpperCase()] })])).toEqual([marking])
      })

  const cases: [string, object, string | null][] = [
    ['definition_type tlp', { definition_type: 'tlp', definition: { tlp: 'amber' } }, 'amber'],
    ['in upper case', { definition_type: 'TLP', definition: { tlp: 'RED' } }, 'red'],
    ['with a prefix', { definition_type: 'tlp', definition: { tlp: 'TLP:RED' } }, 'red'],
    [
      'a name',
      { name: 'TLP:AMBER+STRICT', definition_type: 'statement', definition: { statement: 's' } },
      'amber+strict',
    ],
    ['a statement that is one', { definition_type: 'statement', definition: { statement: 'TLP:RED' } }, 'red'],
    [
      'the extension of TLP 2.0',
      { extensions: { [EXTENSION]: { extension_type: 'property-extension', tlp_2_0: 'red' } } },
      'red',
    ],
    ['the strictest of both', { name: 'TLP:CLEAR', definition_type: 'tlp', definition: { tlp: 'red' } }, 'red'],
    ['a word that is none', { definition_type: 'tlp', definition: { tlp: 'purple' } }, 'red'],
    ['terms of use', { definition_type: 'statement', definition: { statement: 'Copyright 2026' } }, null],
    ['permissible actions', { definition_type: 'PAP', definition: { pap: 'red' } }, null],
    ['a kind that nobody knows', { definition_type: 'iep', definition: {} }, 'red'],
    ['an extension that nobody knows', { extensions: { 'extension-definition--1': { access: 'closed' } } }, 'red'],
  ]
  for (const [name, said, want] of cases)
    test(`may be ${name}: ${want}`, async () =>
      expect(await markings([ip({ object_marking_refs: [OWN] }), definition(said)])).toEqual([want]))

  test('that is not there is the strictest', async () =>
    expect(await markings([ip({ object_marking_refs: [OWN] })])).toEqual(['red']))

  test('is the strictest of several, granular ones and labels among them', async () => {
    const granular_markings = [{ marking_ref: TLP2.red, selectors: ['value'] }]
    expect(await markings([ip({ object_marking_refs: [TLP2.clear, TLP1.amber] })])).toEqual(['amber'])
    expect(await markings([ip({ object_marking_refs: [TLP2.clear], granular_markings })])).toEqual(['red'])
    expect(await markings([ip({ labels: ['tlp:amber'] })])).toEqual(['amber'])
    expect(await markings([ip({ granular_markings: [{ lang: 'de', selectors: ['value'] }] })])).toEqual([null])
  })

  test('counts where it stands alone instead of in a list, and is the strictest where it is no reference', async () => {
    expect(await markings([ip({ object_marking_refs: TLP2.amber })])).toEqual(['amber'])
    expect(await markings([ip({ object_marking_refs: [{ id: TLP2.clear }] })])).toEqual(['red'])
    expect(await markings([ip({ granular_markings: { marking_ref: TLP2.red, selectors: ['value'] } })])).toEqual([
      'red',
    ])
    expect(await markings([ip({ labels: 'tlp:amber' })])).toEqual(['amber'])
  })

  for (const type of ['report', 'grouping', 'observed-data'])
    test(`of a ${type} holds for what it refers to and what has no marking of its own`, async () => {
      const object_refs = ['ipv4-addr--1', 'ipv4-addr--2']
      const holder = { type, id: `${type}--1`, object_marking_refs: [TLP1.red], object_refs }
      const other = ip({ id: 'ipv4-addr--2', object_marking_refs: [TLP2.green] })
      const outside = ip({ id: 'ipv4-addr--3' })
      expect(await markings([ip(), other, outside, holder])).toEqual(['red', 'green', null])
      const clear = { ...holder, id: `${type}--2`, object_marking_refs: [TLP2.clear] }
      expect(await markings([ip(), clear, holder])).toEqual(['red'])
    })

  test('of a report holds for the observables of its observed data, and for its relations', async () => {
    const data = { type: 'observed-data', id: 'observed-data--1', object_refs: ['ipv4-addr--1'] }
    const report = { type: 'report', id: 'report--1', object_marking_refs: [TLP2.amber], object_refs: [data.id] }
    expect(await markings([ip(), data, report])).toEqual(['amber'])
    const note = { type: 'note', id: 'note--1', object_marking_refs: [TLP2.red], object_refs: ['ipv4-addr--1'] }
    expect(await markings([ip(), note])).toEqual([null])
  })

  test('of an address holds for the traffic that is told by it', async () => {
    const traffic = { type: 'network-traffic', id: 'network-traffic--1', dst_ref: 'ipv4-addr--1', dst_port: 443 }
    const secret = ip({ object_marking_refs: [TLP2.red] })
    expect(await markings([secret, { ...traffic, object_marking_refs: [TLP2.clear] }])).toEqual(['red', 'red'])
    expect(await markings([secret, { ...traffic, src_ref: traffic.dst_ref, dst_ref: undefined }])).toEqual([
      'red',
      'red',
    ])
    expect(await markings([ip(), traffic])).toEqual([null, null])
  })

  test('of observed-data holds for the observables in it', async () => {
    const data = {
      type: 'observed-data',
      id: 'observed-data--1',
      object_marking_refs: [TLP1.red],
      objects: {
        0: { type: 'domain-name', value: 'evil.example', resolves_to_refs: ['1'] },
        1: { type: 'ipv4-addr', value: '8.8.8.8' },
      },
    }
    const items = await stix([data])
    expect(items).toMatchObject([
      { marking: 'red', entity: { type: 'domain', associations: [{ type: 'ip' }] } },
      { marking: 'red', entity: { type: 'ip' } },
    ])
  })
})

describe('a relation of STIX', () => {
  const [OPEN, SECRET] = [ip({ object_marking_refs: [TLP2.clear] }), 'domain-name--2']
  const secret = { type: 'domain-name', id: SECRET, value: 'evil.example', object_marking_refs: [TLP2.red] }
  const relation = (rest: object = {}) => ({
    type: 'relationship',
    id: 'relationship--1',
    relationship_type: 'resolves-to',
    source_ref: OPEN.id,
    target_ref: SECRET,
    ...rest,
  })
  const told = async (objects: object[]) =>
    (await stix(objects)).map((item) => {
      if ('rejected' in item) return item.rejected
      const { entity, marking } = item
      return `${marking}: ${entity.type} -> ${(entity.associations ?? []).map(({ type }) => type).join(',')}`
    })

  test('with a restricted target is told apart from its source, as restricted as the target', async () => {
    expect(await told([OPEN, secret, relation()])).toEqual(['clear: ip -> ', 'red: ip -> domain', 'red: domain -> '])
    const [, apart] = await stix([OPEN, secret, relation()])
    // Only the relation is news to those who may read it.
    expect(apart).toEqual({
      line: 2,
      marking: 'red',
      entity: {
        type: 'ip',
        attributes: { ip: '8.8.8.8' },
        reputation: null,
        associations: [
          {
            mode: 'association',
            type: 'domain',
            attributes: { domain: 'evil.example' },
            relationship: 'resolves-to',
          },
        ],
      },
    })
  })

  test('has its relationship type, in normal form, as far as it has one; a reference has none', async () => {
    const open = { ...secret, object_marking_refs: undefined, resolves_to_refs: [OPEN.id] }
    const types = ['Communicates With', 'uses', 'uses', '', 'a/b']
    const said = types.map((relationship_type, i) => relation({ id: `relationship--${i}`, relationship_type }))
    const associations = async (objects: object[]) =>
      (await stix(objects)).map((item) =>
        'rejected' in item ? item.rejected : item.entity.associations?.map(({ relationship }) => relationship ?? null),
      )
    expect(await associations([OPEN, open, ...said])).toEqual([['communicates-with', 'uses', null], [null]])
  })

  test('with a restricted source is as restricted as it', async () => {
    const back = relation({ source_ref: SECRET, target_ref: OPEN.id })
    expect(await told([OPEN, secret, back])).toEqual(['clear: ip -> ', 'red: domain -> ip'])
  })

  test('that is restricted itself is, between open ends too', async () => {
    const open = { ...secret, object_marking_refs: undefined }
    const marked = relation({ object_marking_refs: [TLP2.amber] })
    expect(await told([OPEN, open, marked])).toEqual(['clear: ip -> ', 'amber: ip -> domain', 'undefined: domain -> '])
  })

  test('may be a reference of an observable', async () => {
    const source = { ...secret, object_marking_refs: [], resolves_to_refs: [OPEN.id] }
    const hidden = { ...OPEN, object_marking_refs: [TLP2.amber] }
    expect(await told([source, hidden])).toEqual(['undefined: domain -> ', 'amber: domain -> ip', 'amber: ip -> '])
  })

  test('may be a sighting', async () => {
    const data = { type: 'observed-data', id: 'observed-data--1', object_refs: [SECRET] }
    const sighting = { type: 'sighting', id: 's', sighting_of_ref: OPEN.id, observed_data_refs: [data.id] }
    expect(await told([OPEN, secret, data, sighting])).toEqual([
      'clear: ip -> ',
      'red: domain -> ',
      'clear: ip -> ',
      'red: ip -> domain',
    ])
  })
})
