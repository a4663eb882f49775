import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/database/server.ts'
import { lifecycleContract } from './suite.ts'

const url = process.env.DATABASE_URL

if (url !== undefined) {
  // A reconciliation looks at everything: other tests have no place beside it.
  const name = `lifecycle_${randomUUID().replaceAll('-', '')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  const statement = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  afterAll(() => statement(`DROP DATABASE IF EXISTS ${name}`))
  lifecycleContract('postgres', async () => {
    await statement(`CREATE DATABASE ${name}`)
    return postgresDatabase({ url: own.href, poolSize: 12, onConnectionLost: () => undefined })
  })
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the contract of lifecycle events on PostgreSQL', () => undefined)
}
