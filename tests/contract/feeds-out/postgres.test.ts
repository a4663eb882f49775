import { expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/database/server.ts'
import { feedsOutContract } from './suite.ts'

const url = process.env.DATABASE_URL

if (url !== undefined) {
  feedsOutContract('postgres', () => postgresDatabase({ url, poolSize: 4, onConnectionLost: () => undefined }))
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the contract of feeds on PostgreSQL', () => undefined)
}
