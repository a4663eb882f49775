import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../../../connectors/feeds/parse/document.ts'
import { readStix } from '../../../../../../connectors/feeds/parse/stix/bundle.ts'

const OPTIONS = { reputation: -3, tags: [] }
const indicator = (value: string, rest: object = {}) => ({
  type: 'indicator',
  id: 'indicator--1',
  modified: '2026-01-01T00:00:00Z',
  pattern: `[ipv4-addr:value = '${value}']`,
  pattern_type: 'stix',
  ...rest,
})
const read = (objects: unknown[], earlier: Json[] = []) => [...readStix({ objects }, OPTIONS, earlier).items]
const said = (objects: unknown[], earlier: Json[] = []) =>
  read(objects, earlier).map((item) => {
    if ('withdrawn' in item) return `- ${item.withdrawn.id} ${item.withdrawn.version}`
    if ('rejected' in item) return item.rejected
    const { type, attributes, associations = [] } = item.entity
    return [`${attributes[type]}`, ...associations.map((link) => link.attributes[link.type])].join(' -> ')
  })

describe('of several versions of an object', () => {
  const [a, b] = ['198.51.100.1', '198.51.100.2']
  const cases: [name: string, objects: object[], want: string[]][] = [
    ['the newest holds', [indicator(a, { modified: '2026-02-01T00:00:00Z' }), indicator(b)], [a]],
    ['digits of any number count', [indicator(a), indicator(b, { modified: '2026-01-01T00:00:00.000000001Z' })], [b]],
    ['the last of equal ones holds', [indicator(a), indicator(b)], [b]],
    [
      'a revoked one takes back',
      [indicator(a), indicator(a, { modified: '2026-01-01T00:00:00.5Z', revoked: true })],
      ['- indicator--1 2026-01-01T00:00:00.500000000Z'],
    ],
    [
      'one that was stated again after that is stated',
      [indicator(a, { modified: '2026-03-01T00:00:00Z' }), indicator(a, { revoked: true })],
      [a],
    ],
  ]
  for (const [name, objects, want] of cases) test(name, () => expect(said(objects)).toEqual(want))
})

test('relations in a circle are relations', () => {
  const ends = ['198.51.100.1', '198.51.100.2'].map((value, n) => indicator(value, { id: `indicator--${n}` }))
  const relation = (n: number, from: number, to: number) => ({
    type: 'relationship',
    id: `relationship--${n}`,
    source_ref: `indicator--${from}`,
    target_ref: `indicator--${to}`,
  })
  expect(said([...ends, relation(1, 0, 1), relation(2, 1, 0), relation(3, 0, 0)])).toEqual([
    '198.51.100.1 -> 198.51.100.2',
    '198.51.100.2 -> 198.51.100.1',
  ])
})

test('members that are no objects are rejected, one by one', () => {
  expect(said([null, 7, 'x', [], {}, indicator('198.51.100.1')])).toEqual([
    ...Array.from({ length: 4 }, () => 'not a STIX object'),
    'the catalogue has no type for STIX ""',
    '198.51.100.1',
  ])
})

test('objects of earlier documents are ends of relations and definitions of markings, and nothing else', () => {
  const marking = {
    type: 'marking-definition',
    id: 'marking-definition--9',
    definition_type: 'tlp',
    definition: { tlp: 'green' },
  }
  const before = [marking, indicator('198.51.100.1', { id: 'indicator--0' })]
  const relation = {
    type: 'relationship',
    id: 'relationship--1',
    source_ref: 'indicator--0',
    target_ref: 'indicator--1',
  }
  const now = [indicator('198.51.100.2', { object_marking_refs: [marking.id] }), relation]
  expect(said(now, before)).toEqual(['198.51.100.2', '198.51.100.1 -> 198.51.100.2'])
  expect(read(now, before)[0]).toMatchObject({ marking: 'green' })
  expect(read(now)[0]).toMatchObject({ marking: 'red' })
})
