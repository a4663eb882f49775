import { expect, test } from 'vitest'
import type { Reader } from '../../../../../../api/intelligence/services/readers.ts'
import { historyRecord } from '../../../../../../api/intelligence/services/search/history-search.ts'
import { keptAttributes } from '../../../../../../schemas/intelligence/observations/verdict.ts'

const UNTIL = Date.parse('2027-01-01T00:00:00Z')
const reader: Reader = { groups: ['public'], audiences: [1n], own: [], visibleBy: () => ['public'] }
const recordOf = (reputation: number, attributes: Record<string, string>) =>
  historyRecord(
    {
      id: 'a',
      type: 'ip',
      value: '192.0.2.1',
      user_id: 'u',
      source: 'feed:bad-list',
      attributes,
      reputation,
      accuracy: 0,
      tags: [],
      audience: '1',
      well_known: 0,
      time: '0',
    },
    reader,
  )
const given = (reputation: number, reason: string, until: number) =>
  recordOf(reputation, keptAttributes({ attributes: {}, verdict: { reason, until } })).verdict

test('a record of a verdict says which one was given, or that it was taken back', () => {
  expect(given(3, 'ours', 0)).toEqual({ verdict: 'benign', reason: 'ours' })
  expect(given(-3, 'seen', UNTIL)).toEqual({ verdict: 'malicious', reason: 'seen', until: '2027-01-01T00:00:00.000Z' })
  expect(given(0, '', 0)).toEqual({ verdict: null, reason: '' })
})

test('a report is no verdict, and a verdict shows no terms as attributes', () => {
  expect(recordOf(-3, { port: '80/tcp' })).not.toHaveProperty('verdict')
  expect(recordOf(3, keptAttributes({ attributes: {}, verdict: { reason: 'x', until: 0 } })).attributes).toEqual({
    ip: '192.0.2.1',
  })
})
