import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountsDatabase } from '../../../../../connectors/postgres/core/database.ts'
import { dropRows } from '../../../../../connectors/postgres/core/drop-rows.ts'
import { memoryDatabase } from '../../../../builders/accounts/database/memory-database.ts'

let database: AccountsDatabase

beforeAll(async () => {
  database = await memoryDatabase()
})
afterAll(() => database.close())

const ended = (minute: number) => ({
  subject: `customer ${minute}`,
  service: 'entity-api',
  feature: 'requests',
  period: 'minute',
  starts_at: new Date(minute * 60_000),
  ends_at: new Date((minute + 1) * 60_000),
  granted: 1,
  lent: 1,
})

test('rows of no use go by their whole key, as many at a time as the bound allows, and no others', async () => {
  const { db } = database
  await db.insertInto('limit_windows').values([0, 1, 2, 3, 4, 60, 61].map(ended)).execute()
  const drop = () =>
    dropRows(db, {
      from: 'limit_windows',
      key: ['subject', 'service', 'feature', 'period', 'starts_at'],
      where: sql`ends_at < ${new Date(3_600_000)}`,
      limit: 2,
    })
  expect([await drop(), await drop(), await drop(), await drop()]).toEqual([2, 2, 1, 0])
  const left = await db.selectFrom('limit_windows').select('subject').orderBy('starts_at').execute()
  expect(left.map(({ subject }) => subject)).toEqual(['customer 60', 'customer 61'])
})
