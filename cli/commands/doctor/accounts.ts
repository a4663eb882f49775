import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { appliedMigration } from '../../../connectors/postgres/database/migrate.ts'
import type { Config } from '../../../platform/config.ts'
import { openDatabase } from '../../wiring/open/accounts.ts'
import { type Check, type Finding, ok } from './finding.ts'
import { skew } from './skew.ts'

const TIMEOUT_MS = 5_000

/** The database of accounts: it answers and has its migrations. An embedded one belongs to the running platform. */
export const accountsCheck = (config: Config, now: () => number): Check => ({
  name: 'accounts',
  todo: 'start the server of DATABASE_URL; with embedded accounts set PORT or HARRIER_URL as the platform has them',
  async run() {
    if (config.databaseUrl === null) {
      if ((await stat(join(config.dataDir, 'accounts')).catch(() => null)) === null)
        return [ok('nothing is there yet: the first start makes it')]
      const told = await ofRunningPlatform(config.url)
      if (told !== null) return [told]
    }
    const { db, close } = await openDatabase(config, pino({ level: 'silent' }))
    try {
      const migration = await appliedMigration(db)
      const began = now()
      const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`.execute(db)
      return [
        ok(`it answers, with migration ${migration}`),
        skew('the database of accounts', Number(rows[0]!.ms), began, now()),
      ]
    } finally {
      await close()
    }
  },
})

/** What `/readyz` says of the accounts; null when nobody answers there, so that the folder may be opened. */
async function ofRunningPlatform(url: string): Promise<Omit<Finding, 'check'> | null> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null)
  if (response === null) return null
  const body = (await response.json().catch(() => null)) as {
    parts?: Record<string, string>
    error?: { param?: string }
  }
  const migration = body?.parts?.accounts
  if (migration !== undefined) return ok(`the running platform has them, with migration ${migration}`)
  const failed = body?.error?.param ?? ''
  if (/\baccounts\b/.test(failed)) throw new Error('the running platform cannot reach them')
  return response.status === 503 ? ok('the running platform has them') : null
}
