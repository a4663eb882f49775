import { expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/database/server.ts'
import { inboxContract } from './suite.ts'

const url = process.env.DATABASE_URL

if (url !== undefined) {
  const open = () => postgresDatabase({ url, poolSize: 8, onConnectionLost: () => undefined })
  inboxContract('statuses of the inbox, postgres', open, open)
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the contract of statuses of the inbox on PostgreSQL', () => undefined)
}
