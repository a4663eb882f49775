import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import { signalHub } from '../../../connectors/postgres/core/signal-hub.ts'
import { hearWork } from '../../../connectors/postgres/core/work-listener.ts'
import { databaseUrlOf } from '../../builders/accounts/database/own-database.ts'
import { during } from '../../builders/suite/during.ts'
import { promised } from '../../builders/suite/promised.ts'
import { workSignalsContract } from './suite.ts'

promised(['DATABASE_URL'], ({ DATABASE_URL: server }) => {
  const own = during(
    () => databaseUrlOf(server),
    (one) => one.remove(),
  )
  const lost: string[] = []
  const open = () =>
    postgresDatabase({ url: own.url, poolSize: 4, onConnectionLost: ({ message }) => lost.push(message) })

  workSignalsContract('postgres', open, open)

  test('a process without workers opens no connection to hear of commits', async () => {
    const { db, close } = await open()
    expect(await listeners(db)).toBe(0)
    await close()
  })

  test('a connection that is lost is told of by a ring, and made again', async () => {
    const { db, work, close } = await open()
    let rung = 0
    work.on('scans', () => rung++)
    await expect.poll(() => work.patienceMs(500), { timeout: 5_000 }).toBeGreaterThan(500)
    expect([rung, await listeners(db)]).toEqual([1, 1])
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'
      AND datname = current_database()`.execute(db)
    await expect.poll(() => rung, { timeout: 5_000 }).toBeGreaterThanOrEqual(2)
    await expect.poll(() => work.patienceMs(500), { timeout: 10_000 }).toBeGreaterThan(500)
    expect(rung).toBe(3)
    await close()
  })

  test('where no notification arrives, as behind some poolers, workers go on looking and it is said once', async () => {
    const told: string[] = []
    const hub = signalHub(10_000)
    const hearing = hearWork(hub, {
      url: own.url,
      notify: async () => undefined,
      onLost: ({ message }) => told.push(message),
    })
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([expect.stringContaining('pooler')])
    expect(hub.patienceMs(500)).toBe(500)
    await hearing.stop()
  })
})

async function listeners(db: Awaited<ReturnType<typeof postgresDatabase>>['db']): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE query LIKE 'LISTEN %' AND datname = current_database()`.execute(db)
  return rows[0]!.n
}
