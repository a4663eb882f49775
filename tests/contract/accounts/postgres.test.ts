import { expect, test } from 'vitest'
import { postgresAccounts, postgresDatabase } from '../../../connectors/postgres/database/server.ts'
import { peopleOf } from '../../builders/accounts/team.ts'
import { append } from '../../builders/lifecycle/events.ts'
import { accountsContract } from './suite.ts'

const url = process.env.DATABASE_URL

const open = (target: string) =>
  postgresAccounts({ url: target, poolSize: 4, onConnectionLost: () => undefined }, append)

if (url !== undefined) {
  accountsContract('postgres', async () =>
    peopleOf(await postgresDatabase({ url, poolSize: 4, onConnectionLost: () => undefined })),
  )

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
