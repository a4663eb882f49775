import { expect, test } from 'vitest'
import { readers } from '../../../../../api/intelligence/services/readers.ts'

test('groups that are in use stay known when a thousand others come', async () => {
  let queries = 0
  const query = async () => {
    queries++
    return []
  }
  const { of } = readers({ query }, () => 1)
  for (let i = 0; i < 1_000; i++) await of([`group-${i}`])
  await of(['group-0'])
  await of(['group-1000'])
  expect(queries).toBe(1_001)
  await of(['group-0'])
  expect(queries).toBe(1_001)
  await of(['group-1'])
  expect(queries).toBe(1_002)
})
