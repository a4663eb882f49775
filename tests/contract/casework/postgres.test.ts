import { expect, test } from 'vitest'
import { ownDatabase } from '../../builders/accounts/own-database.ts'
import { caseworkContract } from './suite.ts'

const url = process.env.DATABASE_URL

if (url !== undefined) {
  caseworkContract('postgres', () => ownDatabase(url, 4))
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the contract of casework on PostgreSQL', () => undefined)
}
