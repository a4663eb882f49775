import { expect, test } from 'vitest'
import { coverings } from '../../../../../../api/intelligence/services/entity/covering.ts'

test('networks of a reader that is in use stay known when others come', async () => {
  let queries = 0
  const query = async () => {
    queries++
    return []
  }
  const { covering } = coverings({ query }, { views: async () => new Map() }, () => 1)
  const ask = (audience: number) => {
    const audiences = [BigInt(audience)]
    return covering({ groups: [], audiences, own: audiences, visibleBy: () => [] }, ['192.0.2.1'])
  }
  for (let i = 0; i < 16; i++) await ask(i)
  await ask(0)
  await ask(16)
  await ask(0)
  expect(queries).toBe(17)
  await ask(1)
  expect(queries).toBe(18)
})
