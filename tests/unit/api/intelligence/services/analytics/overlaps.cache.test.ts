import { expect, test } from 'vitest'
import { overlaps } from '../../../../../../api/intelligence/services/analytics/overlaps.ts'

test('overlaps of a reader that is in use stay known when others come', async () => {
  let queries = 0
  const query = async () => {
    queries++
    return []
  }
  const { of } = overlaps({ query }, () => 1)
  const ask = (audience: number) => {
    const own = [BigInt(audience)]
    return of({ groups: [], audiences: own, own, visibleBy: () => [] })
  }
  for (let i = 0; i < 64; i++) await ask(i)
  await ask(0)
  await ask(64)
  await ask(0)
  expect(queries).toBe(65)
  await ask(1)
  expect(queries).toBe(66)
})
