import { describe, expect, test } from 'vitest'
import { readStix } from '../../../../../../connectors/feeds/parse/stix/bundle.ts'
import { addLost } from '../../../../../../connectors/feeds/parse/stix/lost.ts'

const lostOf = (objects: unknown[]): Record<string, number> => {
  const { lost } = readStix({ type: 'bundle', objects }, { reputation: -3, tags: [] })
  return Object.fromEntries(lost.map(({ type, property, n }) => [`${type} ${property}`, n]))
}
const IP = { type: 'ipv4-addr', id: 'ipv4-addr--1', spec_version: '2.1', value: '198.51.100.1' }
const INDICATOR = {
  type: 'indicator',
  id: 'indicator--1',
  spec_version: '2.1',
  modified: '2026-01-01T00:00:00Z',
  pattern: "[ipv4-addr:value = '198.51.100.1']",
  pattern_type: 'stix',
}
const DIGEST = { MD5: 'd41d8cd98f00b204e9800998ecf8427e' }

describe('what of an object is lost', () => {
  const cases: [name: string, objects: object[], want: Record<string, number>][] = [
    ['nothing of what is read', [IP, INDICATOR], {}],
    [
      'each property once for each object',
      [
        { ...INDICATOR, name: 'a', created: 'b' },
        { ...INDICATOR, id: 'indicator--2', name: 'c', description: '' },
      ],
      { 'indicator created': 1, 'indicator description': 1, 'indicator name': 2 },
    ],
    [
      'what cannot be read',
      [{ ...INDICATOR, confidence: 101, valid_until: 'soon', valid_from: '2026-01-01T00:00:00Z', labels: ['a', 7] }],
      { 'indicator confidence': 1, 'indicator valid_until': 1 },
    ],
    [
      'all of an object that is not read, but for what says which it is',
      [{ ...INDICATOR, pattern: 'rule a {}', pattern_type: 'yara', labels: ['a'] }],
      { 'indicator labels': 1, 'indicator pattern': 1, 'indicator pattern_type': 1 },
    ],
    ['an address that is none', [{ ...IP, value: 'x' }], { 'ipv4-addr value': 1 }],
    [
      'kinds without a type',
      [
        { type: 'x-thing', id: 'x-thing--1', a: 1 },
        { type: 'report', id: 'report--1', name: 'a', object_refs: [IP.id] },
      ],
      { 'report name': 1, 'report object_refs': 1, 'x-thing a': 1 },
    ],
    ['nothing of what is taken back', [{ ...INDICATOR, revoked: true, name: 'a' }], {}],
    [
      'nothing of an older version',
      [
        { ...INDICATOR, name: 'a' },
        { ...INDICATOR, modified: '2026-01-02T00:00:00Z' },
      ],
      {},
    ],
    [
      'digests without a type',
      [{ type: 'file', id: 'file--1', hashes: { ...DIGEST, SSDEEP: 'x' }, size: 1, ctime: 'x' }],
      { 'file ctime': 1, 'file hashes.SSDEEP': 1 },
    ],
    ['what only a digest would carry', [{ type: 'file', id: 'file--1', name: 'a.exe', size: 1 }], { 'file size': 1 }],
    [
      'the ends of traffic that are not used',
      [
        IP,
        { ...IP, id: 'ipv4-addr--2', value: '198.51.100.2' },
        {
          type: 'network-traffic',
          id: 'network-traffic--1',
          src_ref: IP.id,
          dst_ref: 'ipv4-addr--2',
          src_port: 1,
          dst_port: 2,
          protocols: ['ipv4', 'tcp'],
        },
      ],
      { 'network-traffic src_port': 1 },
    ],
    [
      'references to what is no entity',
      [{ type: 'domain-name', id: 'domain-name--1', value: 'evil.example', resolves_to_refs: ['ipv4-addr--9'] }],
      { 'domain-name resolves_to_refs': 1 },
    ],
    [
      'a reference to a report of its author, of attacks only more than the number',
      [
        {
          type: 'malware',
          id: 'malware--1',
          name: 'A',
          is_family: true,
          created_by_ref: 'identity--1',
          external_references: [{ source_name: 'mitre-attack', external_id: 'S1' }],
        },
        {
          type: 'malware',
          id: 'malware--2',
          name: 'B',
          external_references: [{ source_name: 'mitre-attack', external_id: 'S2', url: 'https://example.com' }],
        },
      ],
      { 'malware created_by_ref': 1, 'malware external_references': 1 },
    ],
    [
      'of relations',
      [
        IP,
        { ...IP, id: 'ipv4-addr--2', value: '198.51.100.2' },
        {
          type: 'relationship',
          id: 'relationship--1',
          source_ref: IP.id,
          target_ref: 'ipv4-addr--2',
          start_time: 'x',
        },
        { type: 'relationship', id: 'relationship--2', source_ref: IP.id, target_ref: 'identity--1' },
      ],
      { 'relationship source_ref': 1, 'relationship start_time': 1, 'relationship target_ref': 1 },
    ],
    [
      'of terms of use',
      [
        { type: 'marking-definition', id: 'marking-definition--1', definition_type: 'tlp', definition: { tlp: 'red' } },
        { type: 'marking-definition', id: 'marking-definition--2', definition_type: 'statement', definition: {} },
      ],
      { 'marking-definition definition': 1, 'marking-definition definition_type': 1 },
    ],
  ]
  for (const [name, objects, want] of cases) test(name, () => expect(lostOf(objects)).toEqual(want))
})

test('names of anybody are bounded, and every property is counted', () => {
  const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`x_${n}`, n]))
  const lost = lostOf([{ ...INDICATOR, ...many, __proto__: null, ['y'.repeat(5_000)]: 1 }])
  expect(Object.values(lost).reduce((sum, n) => sum + n, 0)).toBe(12_001)
  expect(Object.keys(lost).length).toBeLessThanOrEqual(10_001)
  expect(lost['(other) (other)']).toBe(2_001)
})

test('the losses of several documents add up', () => {
  const one = { type: 'a', property: 'b', n: 2 }
  expect(
    addLost([
      [one],
      [
        { ...one, n: 3 },
        { ...one, type: 'A' },
      ],
    ]),
  ).toEqual([
    { ...one, type: 'A' },
    { ...one, n: 5 },
  ])
})
