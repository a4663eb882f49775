import { expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/database/server.ts'
import { keysContract } from './keys.ts'
import { sessionsContract } from './suite.ts'

const url = process.env.DATABASE_URL

if (url !== undefined) {
  const open = () => postgresDatabase({ url, poolSize: 8, onConnectionLost: () => undefined })
  sessionsContract('sessions, postgres', open)
  keysContract('key pairs, postgres', open)
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the sessions contract on PostgreSQL', () => undefined)
}
