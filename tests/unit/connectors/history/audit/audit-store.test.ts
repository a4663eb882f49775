import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { auditStore } from '../../../../../connectors/history/audit/audit-store.ts'

const asked = (query: () => Promise<never[]>) => auditStore({ query, insert: async () => undefined }).isEmpty()
const refused = (code: string) => async () => {
  throw new ClickHouseError({ message: 'said', code, type: 'SAID' })
}

test('a table that nobody has made is empty, and a store that is away says nothing', async () => {
  expect(await asked(async () => [])).toBe(true)
  expect(await asked(refused('60'))).toBe(true)
  await expect(asked(refused('62'))).rejects.toThrow('said')
})
