import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { appliedMigration } from '../../../connectors/postgres/core/migrate.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import { databaseUrlOf } from '../../builders/accounts/database/own-database.ts'
import { promised } from '../../builders/suite/promised.ts'

/** With which kysely lets one process migrate at a time. */
const MIGRATION_LOCK = '3853314791062309107'

const open = (target: string) => postgresDatabase({ url: target, poolSize: 4, onConnectionLost: () => undefined })

promised(['DATABASE_URL'], ({ DATABASE_URL: url }) => {
  test('several processes that start at once migrate once', async () => {
    const opened = await Promise.all([open(url), open(url), open(url)])
    for (const { db, close } of opened) {
      expect(await appliedMigration(db)).toMatch(/^\d{4}-/)
      await close()
    }
  })

  test('a process waits for another one that migrates for longer than a statement of a request may take', async () => {
    const own = await databaseUrlOf(url)
    const other = new Client({ connectionString: own.url })
    await other.connect()
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const opening = open(own.url)
    await sleep(6_000)
    await other.end()
    await opening.then(({ close }) => close()).finally(own.remove)
  })

  test('a server that is not there is an error, not a wait', async () => {
    await expect(open('postgresql://127.0.0.1:1/none')).rejects.toThrow('ECONNREFUSED')
  })
})
