import { expect, test } from 'vitest'
import { ownDatabase } from '../../builders/accounts/own-database.ts'
import { deliveriesContract } from './suite.ts'

const url = process.env.DATABASE_URL

if (url !== undefined) {
  deliveriesContract('postgres', () => ownDatabase(url, 12))
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the contract of deliveries on PostgreSQL', () => undefined)
}
