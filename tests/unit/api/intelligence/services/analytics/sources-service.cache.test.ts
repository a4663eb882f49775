import { expect, test } from 'vitest'
import { sourceScorecards } from '../../../../../../api/intelligence/services/analytics/sources-service.ts'

test('scorecards that are in use stay known when others come', async () => {
  let queries = 0
  const query = async () => {
    queries++
    return []
  }
  const scorecards = sourceScorecards({ query }, () => 1)
  const ask = (id: number) => {
    const reader = { groups: [`group-${id}`], audiences: [], own: [], visibleBy: () => [] }
    return scorecards(reader, { own: [], every: true, days: 7, limit: 10, sort: 'volume' }, 'ada')
  }
  for (let i = 0; i < 64; i++) await ask(i)
  await ask(0)
  await ask(64)
  await ask(0)
  expect(queries).toBe(2 * 65)
  await ask(1)
  expect(queries).toBe(2 * 66)
})
