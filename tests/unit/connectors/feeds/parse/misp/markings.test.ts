import { describe, expect, test } from 'vitest'
import { collect, type SaidItem } from '../../../../../builders/feeds/collect-feed.ts'

const domain = { type: 'domain', value: 'evil.example', to_ids: true }
const ip = { type: 'ip-dst', value: '8.8.8.8', to_ids: true, object_relation: 'ip' }
const Tag = (name: string) => [{ name }]
const misp = (event: object): Promise<SaidItem[]> =>
  collect(JSON.stringify({ Event: { info: 'E', ...event } }), { format: 'misp' })
const readMarkings = async (event: object) =>
  (await misp(event)).map((item) => {
    if ('rejected' in item) return item.rejected
    const { entity, marking } = item
    const associations = (entity.associations ?? []).map(({ type }) => type).join(',')
    return `${marking} ${entity.type}${associations === '' ? '' : ` -> ${associations}`}`
  })

describe('a distribution of MISP', () => {
  const cases: [unknown, string][] = [
    ['0', 'amber+strict'],
    [0, 'amber+strict'],
    ['1', 'amber'],
    ['2', 'amber'],
    ['3', 'clear'],
    ['4', 'amber+strict'],
    ['5', 'undefined'],
    [undefined, 'undefined'],
    [null, 'undefined'],
    ['', 'undefined'],
    ['9', 'red'],
    ['all', 'red'],
    [true, 'red'],
    [{ id: 3 }, 'red'],
    [['3'], 'red'],
  ]
  for (const [distribution, want] of cases)
    test(`${JSON.stringify(distribution)} of an event is ${want}`, async () =>
      expect(await readMarkings({ distribution, Attribute: [domain] })).toEqual([`${want} domain`]))

  test('is the strictest of event, object and attribute', async () => {
    const attribute = (distribution: string) => ({ ...domain, distribution })
    const object = (distribution: string, inner: string) => ({
      name: 'url',
      distribution,
      Attribute: [attribute(inner)],
    })
    expect(await readMarkings({ distribution: '3', Attribute: [attribute('0')] })).toEqual(['amber+strict domain'])
    expect(await readMarkings({ distribution: '0', Attribute: [attribute('3')] })).toEqual(['amber+strict domain'])
    expect(await readMarkings({ distribution: '1', Attribute: [attribute('5')] })).toEqual(['amber domain'])
    expect(await readMarkings({ distribution: '3', Object: [object('1', '5')] })).toEqual(['amber domain'])
    expect(await readMarkings({ distribution: '4', Object: [object('3', '3')] })).toEqual(['amber+strict domain'])
  })
})

describe('a tag of MISP', () => {
  const forms: [string, object][] = [
    ['a plain text', { Tag: ['tlp:red'] }],
    ['an object without a list', { Tag: { name: 'tlp:red' } }],
    ['a relation of an event', { EventTag: [{ Tag: { name: 'tlp:red' } }] }],
    ['a relation of an attribute', { AttributeTag: [{ tag_id: '1', Tag: { name: 'tlp:red' } }] }],
  ]
  for (const [form, tagged] of forms)
    test(`may be ${form}`, async () => {
      expect(await readMarkings({ ...tagged, Attribute: [domain] })).toEqual(['red domain'])
      expect(await readMarkings({ Attribute: [{ ...domain, ...tagged }] })).toEqual(['red domain'])
    })

  for (const name of ['tlp:red', 'TLP:RED', 'tlp:"red"'])
    test(`${name} restricts an event, an object and an attribute`, async () => {
      expect(await readMarkings({ Tag: Tag(name), Attribute: [domain] })).toEqual(['red domain'])
      expect(await readMarkings({ Object: [{ name: 'x', Tag: Tag(name), Attribute: [domain] }] })).toEqual([
        'red domain',
      ])
      expect(await readMarkings({ Attribute: [{ ...domain, Tag: Tag(name) }, ip] })).toEqual([
        'red domain',
        'undefined ip',
      ])
    })

  test('cannot loosen a distribution, nor a distribution a tag', async () => {
    expect(await readMarkings({ distribution: '0', Tag: Tag('tlp:clear'), Attribute: [domain] })).toEqual([
      'amber+strict domain',
    ])
    expect(await readMarkings({ distribution: '3', Tag: Tag('tlp:red'), Attribute: [domain] })).toEqual(['red domain'])
  })

  test('of a galaxy is as restricted as its cluster', async () => {
    const Galaxy = [{ GalaxyCluster: [{ tag_name: 'misp-galaxy:x="y"', distribution: '3' }, { distribution: '0' }] }]
    expect(await readMarkings({ Attribute: [{ ...domain, Galaxy }] })).toEqual(['amber+strict domain'])
    expect(await readMarkings({ Galaxy, Attribute: [domain] })).toEqual(['amber+strict domain'])
  })
})

describe('an object of MISP', () => {
  test('does not tell of attributes that are stricter than it, nor of their tags', async () => {
    const secret = { ...ip, Tag: [{ name: 'tlp:red' }, { name: 'operation-x' }] }
    const event = { Object: [{ name: 'domain-ip', uuid: 'u', Attribute: [domain, secret] }] }
    expect(await readMarkings(event)).toEqual(['undefined domain', 'red ip -> domain'])
    expect(JSON.stringify((await misp(event))[0])).not.toMatch(/8\.8\.8\.8|tlp|operation-x/)
  })

  test('tells of a reference to a stricter one apart from itself', async () => {
    const file = { name: 'file', uuid: 'f', Attribute: [domain], ObjectReference: [{ referenced_uuid: 'i' }] }
    const address = { name: 'ip', uuid: 'i', distribution: '0', Attribute: [ip] }
    expect(await readMarkings({ Object: [{ ...file, name: 'x' }, address] })).toEqual([
      'undefined domain',
      'amber+strict domain -> ip',
      'amber+strict ip',
    ])
    const open = { ...address, distribution: '5' }
    expect(await readMarkings({ Object: [{ ...file, name: 'x', distribution: '1' }, open] })).toEqual([
      'amber domain -> ip',
      'undefined ip',
    ])
  })
})
