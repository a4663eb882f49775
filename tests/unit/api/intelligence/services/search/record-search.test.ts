import { afterEach, describe, expect, test } from 'vitest'
import type { History, Query } from '../../../../../../connectors/history/port.ts'
import { type RunningApi, startApi } from '../../../../../builders/api/api.ts'

const row = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  entity_id: `domain-${n}`,
  type: 'domain',
  value: `host-${n}.example.com`,
  user_id: 'user',
  source: 'user',
  attributes: {},
  reputation: -1,
  accuracy: 1,
  tags: [],
  audience: '1',
  well_known: 0,
  time: '0',
  sorted: '0',
})

/** Holds so many records that every question finds, and keeps what it was asked. */
function storeOf(records: number): { history: History; asked: ('count' | 'page')[] } {
  const asked: ('count' | 'page')[] = []
  const query = async ({ sql }: Query) => {
    if (!sql.includes('FROM history')) return []
    const counts = sql.includes(' AS items')
    asked.push(counts ? 'count' : 'page')
    return counts
      ? [{ items: String(records), groups: '0' }]
      : Array.from({ length: Math.min(3, records) }, (_, i) => row(i))
  }
  return { history: { query } as History, asked }
}

let api: RunningApi | undefined
afterEach(() => api?.close())

describe.each(['simple', 'advanced'])('%s history search', (kind) => {
  const cases = [
    { says: 'a first page that is not full is all there is', records: 2, paging: 'limit=3', asks: ['page'] },
    { says: 'nothing found needs no count', records: 0, paging: 'limit=3', asks: ['page'] },
    { says: 'a full page is counted', records: 3, paging: 'limit=3', asks: ['page', 'count'] },
    { says: 'the totals alone are one query', records: 2, paging: 'limit=0', asks: ['count'] },
    {
      says: 'a later page is looked for when there is one',
      records: 9,
      paging: 'limit=3&page=2',
      asks: ['count', 'page'],
    },
    { says: 'a page past the last is not looked for', records: 2, paging: 'limit=3&page=2', asks: ['count'] },
  ]
  test.each(cases)('$says', async ({ records, paging, asks }) => {
    const { history, asked } = storeOf(records)
    api = await startApi({ history })
    const response = await fetch(`${api.url}/api/search/v1/entities/history/${kind}?${paging}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(kind === 'simple' ? { query: 'word' } : {}),
    })
    expect(asked).toEqual(asks)
    expect(response.status).toBe(records === 0 ? 404 : 200)
    if (records > 0) expect(await response.json()).toMatchObject({ items: records })
  })
})

test('what is collapsed, counted or read on from a place is counted whatever the first page holds', async () => {
  const { history, asked } = storeOf(2)
  api = await startApi({ history })
  for (const body of [{ collapse: { field: 'type' } }, { search_after: [0, row(1).id] }])
    await fetch(`${api.url}/api/search/v1/entities/history/advanced`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect(asked.filter((each) => each === 'count')).toHaveLength(2)
})
