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

test.each(['STIX', 'Stix', ' stix ', 'stix2', 'STIX 2.1', '', null])(
  'pattern_type %j is the language of the standard',
  (language) => {
    expect(said([indicator('198.51.100.1', { pattern_type: language })])).toEqual(['198.51.100.1'])
  },
)

test('another language is a rule', () => {
  expect(said([indicator('198.51.100.1', { pattern_type: 'Sigma' })])).toEqual([
    'a Sigma pattern is a detection rule, not an indicator',
  ])
})

test.each([{ indicator_types: ['Benign'] }, { indicator_types: 'benign' }, { labels: ['benign'] }])(
  '%j claims nothing bad',
  (rest) => {
    expect(read([indicator('198.51.100.1', rest)])).toMatchObject([{ entity: { reputation: null } }])
  },
)

test('a label beside indicator types is a tag', () => {
  const rest = { labels: ['benign'], indicator_types: ['malicious-activity'] }
  expect(read([indicator('198.51.100.1', rest)])).toMatchObject([{ entity: { reputation: -3 } }])
})

test.each(['true', 'True', 1])('revoked as %j takes back', (revoked) => {
  expect(said([indicator('198.51.100.1', { revoked })])).toEqual(['- indicator--1 2026-01-01T00:00:00.000000000Z'])
})

test('an alternative that names no value costs itself alone', () => {
  const pattern = "[domain-name:value = 'a.example' OR domain-name:value LIKE '%.b.example']"
  expect(said([indicator('', { pattern })])).toEqual([
    'a.example',
    'the pattern compares with "LIKE", which names no single value: the rest of the pattern is imported',
  ])
})

test('START and STOP narrow the time of the object', () => {
  const pattern = "[ipv4-addr:value = '198.51.100.1'] START t'2026-01-02T00:00:00Z' STOP t'2026-03-01T00:00:00Z'"
  const rest = { pattern, valid_from: '2026-01-01T00:00:00Z', valid_until: '2026-02-01 00:00:00+00:00' }
  expect(read([indicator('', rest)])).toMatchObject([
    { validFrom: Date.UTC(2026, 0, 2), validUntil: Date.UTC(2026, 1, 1) },
  ])
})

test('a confidence as text counts', () => {
  expect(read([indicator('198.51.100.1', { confidence: '15' })])).toMatchObject([{ confidence: 15 }])
  expect(read([indicator('198.51.100.1', { confidence: 'high' })])[0]).not.toHaveProperty('confidence')
})
