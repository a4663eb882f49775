import { expect, test } from 'vitest'
import type { FeedItem } from '../../../../../../schemas/feeds-out/formats/format.ts'
import { formatNamed } from '../../../../../../schemas/feeds-out/formats/format-table.ts'
import { FACTS, listItem, SEEN, writtenOf } from '../../../../../builders/feeds/list-items.ts'

const stix = formatNamed('stix')!
type Thing = { type: string; id: string; pattern?: string; confidence?: number; labels?: string[]; created?: string }

/** What every bundle begins with. */
const COMMON = ['marking-definition', 'identity', 'extension-definition']

const objectsOf = (items: readonly FeedItem[], facts = FACTS): Thing[] =>
  JSON.parse(writtenOf(stix, items, facts).bytes.toString()).objects

test('observables have the ids of the standard', () => {
  // As the library of the standard's own committee computes them (stix2 3.0).
  const items = [listItem('ip', '198.51.100.3'), listItem('domain', 'a.example'), listItem('sha3-256', 'a'.repeat(64))]
  const ids = objectsOf(items).map(({ id }) => id)
  expect(ids).toContain('ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4')
  expect(ids).toContain('domain-name--064f846b-2bd3-5015-8d6f-d260dbda99c1')
  expect(ids).toContain('file--651db0e1-e879-5ea4-bd36-876aff898bb3')
})

test('an indicator stands where the reputation is below 0, with the confidence of the accuracy', () => {
  const items = [-3, -1, 0, 3].flatMap((reputation) =>
    [0, 1, 2, 3].map((accuracy) =>
      listItem('domain', `d${reputation + 3}${accuracy}.example`, { reputation, accuracy }),
    ),
  )
  const indicators = objectsOf(items).filter(({ type }) => type === 'indicator')
  expect(indicators.map(({ confidence }) => confidence)).toEqual([0, 15, 50, 85, 0, 15, 50, 85])
  expect(objectsOf(items).filter(({ type }) => type === 'domain-name')).toHaveLength(16)
})

test('an object stands once, though a domain and a host name are the same', () => {
  const objects = objectsOf([listItem('domain', 'a.example'), listItem('hostname', 'a.example')])
  const claim = ['indicator', 'relationship', 'sighting']
  expect(objects.map(({ type }) => type)).toEqual([...COMMON, 'domain-name', ...claim, ...claim])
  expect(new Set(objects.map(({ id }) => id)).size).toBe(objects.length)
})

test.each([
  ['domain', 'hostname', 'a.example'],
  ['md5', 'file', 'a'.repeat(32)],
  ['file', 'sha3-256', 'b'.repeat(64)],
])('a %s and a %s without a claim are one observable, of which both are told', (first, second, value) => {
  const items = [first, second].map((type) => listItem(type, value, { reputation: 0 }))
  const { bytes, skipped } = writtenOf(stix, items)
  expect(skipped).toBe(0)
  expect(JSON.parse(bytes.toString()).objects).toHaveLength(COMMON.length + 3)
})

test('two feeds share observables and no indicators', () => {
  const items = [listItem('ip', '198.51.100.3')]
  const [here, there] = [FACTS, { ...FACTS, id: '0198c1f0-0000-7000-8000-000000000002' }].map((facts) =>
    objectsOf(items, facts),
  )
  const shared = here!.filter(({ id }) => there!.some((other) => other.id === id))
  expect(shared.map(({ type }) => type)).toEqual([...COMMON, 'ipv4-addr'])
})

test('what not everybody may read is amber', () => {
  const text = writtenOf(stix, [listItem('ip', '198.51.100.3')], { ...FACTS, isPublic: false }).bytes.toString()
  expect(text).toContain('"name":"TLP:AMBER"')
  expect(text).not.toContain('clear')
})

test('empty lists and times that run backwards are not written', () => {
  const objects = objectsOf([listItem('ip', '198.51.100.3', { tags: [], lastSeen: SEEN - 1 })])
  const indicator = objects.find(({ type }) => type === 'indicator')!
  expect(indicator).not.toHaveProperty('labels')
  expect(indicator).toMatchObject({ created: '2026-01-02T03:04:05.006Z', modified: '2026-01-02T03:04:05.006Z' })
})

test('what a list says besides stands in the bundle: counts, and relations with their type and direction', () => {
  const [ip, name] = [listItem('ip', '198.51.100.3'), listItem('domain', 'a.example', { reputation: 0 })]
  const actor = listItem('adversary', 'apt0')
  const relations = [
    { other: ip, relationship: 'uses' },
    { other: name, relationship: null },
  ]
  const items = [
    Object.assign(ip, { count: 7, relations: [{ other: actor, relationship: 'attributed-to' }] }),
    Object.assign(name, { count: 3 }),
    Object.assign(actor, { count: 1, relations }),
  ]
  const objects = objectsOf(items) as (Thing & Record<string, unknown>)[]
  const idOf = (type: string) => objects.find((one) => one.type === type)!.id
  const found = objects.filter((one) => one.type === 'relationship' && one.relationship_type !== 'based-on')
  expect(found.map((one) => [one.relationship_type, one.source_ref, one.target_ref])).toEqual([
    ['attributed-to', idOf('ipv4-addr'), idOf('threat-actor')],
    ['uses', idOf('threat-actor'), idOf('ipv4-addr')],
    ['related-to', idOf('threat-actor'), idOf('domain-name')],
  ])
  expect(objects.filter(({ type }) => type === 'sighting')).toMatchObject([{ count: 7 }])
  expect(objects.filter(({ type }) => type === 'observed-data')).toMatchObject([{ number_observed: 3 }])
  expect(new Set(objects.map(({ id }) => id)).size).toBe(objects.length)
  expect(objectsOf(items)).toEqual(objects)
})

test('no relation leads out of the bundle, or from an observable to itself', () => {
  const name = listItem('domain', 'a.example')
  const others = [listItem('hostname', 'a.example'), listItem('ip', '198.51.100.03'), listItem('btc', '\u{d800}')]
  const relations = others.map((other) => ({ other, relationship: 'uses' }))
  const objects = objectsOf([Object.assign(name, { relations }), ...others])
  const types = objects.filter(({ type }) => type === 'relationship') as (Thing & { relationship_type: string })[]
  expect(types.map(({ relationship_type }) => relationship_type)).toEqual(['based-on', 'based-on'])
})
