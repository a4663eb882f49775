import { expect, test } from 'vitest'
import { historyMemory } from '../../../../../../api/intelligence/services/search/history-memory.ts'
import type { History, Query } from '../../../../../../connectors/history/port.ts'

const retraction = (id: string) => ({ id, audience: '1', source: 'feed', first: '0', last: '9', offset: '5' })

function storeOf(retractions: number) {
  const asked: string[] = []
  const query = async ({ sql }: Query) => {
    asked.push(/FROM (\w+)/.exec(sql)![1]!)
    return sql.includes('FROM retractions')
      ? Array.from({ length: retractions }, (_, i) => retraction(`ip-${i}`))
      : [{ type: 'ip' }, { type: 'domain' }]
  }
  return { history: { query } as unknown as Pick<History, 'query'>, asked }
}

test('types and retractions are asked for once in a moment, however many search', async () => {
  const { history, asked } = storeOf(2)
  let now = 0
  const memory = historyMemory(history, () => now, { ttlMs: 10 })
  const both = () => Promise.all([memory.types(), memory.retractions(), memory.types(), memory.retractions()])
  const [types, retractions] = await both()
  expect(types).toEqual(new Set(['ip', 'domain']))
  expect([...retractions!.keys()]).toEqual(['ip-0 1', 'ip-1 1'])
  await both()
  expect(asked).toEqual(['history', 'retractions'])
  now = 10
  await both()
  expect(asked).toEqual(['history', 'retractions', 'history', 'retractions'])
})

test('more retractions than few are to be asked for', async () => {
  const memory = historyMemory(storeOf(3).history, () => 0, { few: 2 })
  expect(await memory.retractions()).toBeNull()
})
