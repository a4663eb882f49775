import { expect, test } from 'vitest'
import { BULK_COLUMNS, bulkCells, outcomes } from '../../../../../../../console/src/pages/search/lookup/outcomes.ts'
import type { Decider, LookupResults } from '../../../../../../../console/src/pages/search/lookup/queries.ts'

const decider = (type: string, value: string): Decider => ({
  id: `${type}-1`,
  type,
  value,
  reputation: -3,
  accuracy: 2,
  tags: ['above'],
})
const entity = {
  id: 'ip-1',
  type: 'ip',
  reputation: 0,
  accuracy: 1,
  tags: ['own'],
  lastSeen: '2026-11-27T00:00:00.000Z',
}
const MANY = {
  known: new Map([
    ['203.0.113.9', { value: '203.0.113.9', entities: [entity] }],
    [
      '203.0.113.10',
      { value: '203.0.113.10', entities: [], coveredBy: [{ id: 'cidr-2', value: '203.0.0.0/16', reputation: 0 }] },
    ],
    ['203.0.113.12', { value: '203.0.113.12', entities: [entity] }],
  ]),
  deciders: new Map([
    ['203.0.113.9', decider('cidr', '203.0.113.0/24')],
    ['203.0.113.11', decider('cidr', '203.0.113.0/24')],
    ['a.evil.example', decider('domain', 'evil.example')],
    ['http://198.51.100.7/', decider('ip', '198.51.100.7')],
  ]),
  askedAbove: true,
  unrecognised: new Set(['what is this']),
  requested: 8,
  failed: null,
  ms: 1,
} as unknown as LookupResults

test('a value is found, in a known network, below a known name or host, or not found', () => {
  const values = [
    '203.0.113.9',
    '203.0.113.10',
    '203.0.113.11',
    '203.0.113.12',
    'a.evil.example',
    'http://198.51.100.7/',
    'what is this',
    'other.example',
    'not asked',
  ]
  const all = outcomes(values, MANY)
  expect(all.map(({ state, reputation, by }) => [state, reputation, by?.value])).toEqual([
    ['found', -3, '203.0.113.0/24'],
    ['covered', null, undefined],
    ['covered', -3, '203.0.113.0/24'],
    ['found', 0, undefined],
    ['below', -3, 'evil.example'],
    ['below', -3, '198.51.100.7'],
    ['unread', null, undefined],
    ['missing', null, undefined],
    ['unasked', null, undefined],
  ])
  expect(all[0]).toMatchObject({ id: 'ip-1', type: 'ip', tags: ['above'], last: '2026-11-27T00:00:00.000Z' })
  expect(all[3]!.tags).toEqual(['own'])
  for (const one of all) expect(bulkCells(one)).toHaveLength(BULK_COLUMNS.length)
})
