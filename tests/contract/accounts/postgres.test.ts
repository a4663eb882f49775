import { expect, test } from 'vitest'
import { postgresAccounts } from '../../../connectors/accounts/postgres.ts'
import { accountsContract } from './suite.ts'

const url = process.env.DATABASE_URL

const open = (target: string) => postgresAccounts({ url: target, poolSize: 4, onConnectionLost: () => undefined })

if (url !== undefined) {
  accountsContract('postgres', () => open(url))

  test('several processes that start at once migrate once', async () => {
    const opened = await Promise.all([open(url), open(url), open(url)])
    for (const accounts of opened) {
      expect(await accounts.ping()).toMatch(/^\d{4}-/)
      await accounts.close()
    }
  })

  test('a server that is not there is an error, not a wait', async () => {
    await expect(open('postgresql://127.0.0.1:1/none')).rejects.toThrow('ECONNREFUSED')
  })
} else if (process.env.CI === 'true') {
  test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
} else {
  test.skip('set DATABASE_URL to run the accounts contract on PostgreSQL', () => undefined)
}
