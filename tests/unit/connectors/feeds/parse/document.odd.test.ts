/** One odd thing in a document costs itself alone, whatever it is (ADR 256). */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedItem } from '../../../../../connectors/feeds/parse/item.ts'
import { mispEvents } from '../../../../../connectors/feeds/parse/misp/event.ts'
import { readStix } from '../../../../../connectors/feeds/parse/stix/bundle.ts'

const OPTIONS = { reputation: -3, tags: [] }
const GOOD = '203.0.113.9'
const id = (type: string, n: number) => `${type}--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const time = '2026-01-01T00:00:00.000Z'
const around = { spec_version: '2.1', created: time, modified: time }

const STIX: Record<string, unknown>[] = [
  {
    ...around,
    type: 'indicator',
    id: id('indicator', 1),
    pattern: "[domain-name:value = 'a.example']",
    pattern_type: 'stix',
    valid_from: time,
    valid_until: time,
    labels: ['x'],
    indicator_types: ['malicious-activity'],
    confidence: 50,
    revoked: false,
    object_marking_refs: [id('marking-definition', 1)],
    granular_markings: [{ marking_ref: id('marking-definition', 1), selectors: ['name'] }],
    external_references: [{ source_name: 'x', external_id: 'y' }],
    kill_chain_phases: [{ kill_chain_name: 'x', phase_name: 'y' }],
    extensions: { x: { extension_type: 'property-extension' } },
  },
  {
    ...around,
    type: 'malware',
    id: id('malware', 1),
    name: 'm',
    is_family: true,
    malware_types: ['bot'],
    aliases: ['n'],
  },
  {
    type: 'file',
    id: id('file', 1),
    hashes: { MD5: 'a'.repeat(32) },
    name: 'f',
    parent_directory_ref: id('directory', 1),
  },
  {
    type: 'network-traffic',
    id: id('network-traffic', 1),
    dst_ref: id('ipv4-addr', 1),
    dst_port: 1,
    protocols: ['tcp'],
  },
  {
    ...around,
    type: 'relationship',
    id: id('relationship', 1),
    relationship_type: 'indicates',
    source_ref: id('indicator', 1),
    target_ref: id('malware', 1),
  },
  {
    ...around,
    type: 'sighting',
    id: id('sighting', 1),
    sighting_of_ref: id('indicator', 1),
    observed_data_refs: [id('observed-data', 1)],
    count: 1,
    last_seen: time,
  },
  {
    ...around,
    type: 'observed-data',
    id: id('observed-data', 1),
    object_refs: [id('file', 1)],
    objects: { '0': { type: 'url', value: 'x' } },
  },
  { ...around, type: 'report', id: id('report', 1), object_refs: [id('file', 1)], object_marking_refs: [] },
  {
    type: 'marking-definition',
    id: id('marking-definition', 1),
    definition_type: 'tlp',
    definition: { tlp: 'clear' },
    extensions: { x: { tlp_2_0: 'clear' } },
  },
]
const MISP: Record<string, unknown>[] = [
  {
    type: 'ip-dst|port',
    value: '203.0.113.7|80',
    to_ids: true,
    comment: 'c',
    distribution: '5',
    Tag: [{ name: 't' }],
    deleted: false,
    uuid: 'u',
  },
  {
    type: 'domain|ip',
    value: 'a.example|203.0.113.8',
    Galaxy: [{ type: 'x', GalaxyCluster: [{ value: 'v', tag_name: 'n' }] }],
  },
  { type: 'text', value: 'x', object_relation: 'signature' },
]

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e300,
    '',
    ' ',
    '\u0000',
    [],
    {},
    [null],
    [[]],
    [{}],
    { a: null },
    'x'.repeat(400),
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Each of a list of members, with one of its fields made odd. */
const spoilt = (members: Record<string, unknown>[]) =>
  fc
    .constantFrom(...members)
    .chain((member) =>
      fc.tuple(fc.constantFrom(...Object.keys(member)), odd).map(([field, value]) => ({ ...member, [field]: value })),
    )

const values = (items: Iterable<FeedItem>): string[] =>
  [...items].flatMap((item) => ('entity' in item ? [String(item.entity.attributes[item.entity.type])] : []))

test('in STIX', () => {
  const good = { ...STIX[0], id: id('indicator', 9), pattern: `[ipv4-addr:value = '${GOOD}']`, object_marking_refs: [] }
  fc.assert(
    fc.property(fc.array(fc.oneof(spoilt(STIX), odd), { maxLength: 5 }), (others) => {
      const { items } = readStix({ type: 'bundle', objects: [...STIX, ...others, good] }, OPTIONS)
      expect(values(items)).toContain(GOOD)
    }),
    { numRuns: 500 },
  )
})

test('in MISP', () => {
  const good = { type: 'ip-dst', value: GOOD, to_ids: true }
  const part = fc.oneof(spoilt(MISP), odd)
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 4 }),
      fc.array(part, { maxLength: 4 }),
      odd,
      (attributes, inside, other) => {
        const event = { info: 'x', Attribute: [...attributes, good], Object: [{ name: 'x', Attribute: inside }, other] }
        expect(values(mispEvents({ response: [other, { Event: event }] }, OPTIONS))).toContain(GOOD)
      },
    ),
    { numRuns: 500 },
  )
})

test('a member of a list that is no event, and one that is no object of STIX, are told', () => {
  const event = { Event: { info: 'x', Attribute: [{ type: 'ip-dst', value: GOOD }] } }
  expect([...mispEvents([{ errors: 'no' }, event], OPTIONS)]).toMatchObject([
    { line: 1, rejected: 'not a MISP event', raw: '{"errors":"no"}' },
    { line: 2, entity: { type: 'ip' } },
  ])
  const list = [null, { no: 'type' }, { type: 'ipv4-addr', id: id('ipv4-addr', 1), value: GOOD }]
  expect([...readStix(list, OPTIONS).items]).toMatchObject([
    { rejected: 'not a STIX object' },
    { rejected: 'not a STIX object' },
    { entity: { type: 'ip' } },
  ])
})
