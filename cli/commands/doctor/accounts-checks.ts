import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { appliedMigration } from '../../../connectors/postgres/core/migrate.ts'
import type { Config } from '../../../platform/config.ts'
import { openDatabase } from '../../wiring/open/database.ts'
import { type Check, type Finding, ok } from './finding.ts'
import { skew } from './skew.ts'

const TIMEOUT_MS = 5_000

/** Checks that the accounts database is reachable and migrated. A running platform holds the embedded one, so its `/readyz` is read instead. */
export const accountsCheck = (config: Config, now: () => number): Check => ({
  name: 'accounts',
  todo: 'start the server of DATABASE_URL; for the embedded accounts database set PORT or HARRIER_URL to the values of the running platform',
  async run() {
    if (config.databaseUrl === null) {
      if ((await stat(join(config.dataDir, 'accounts')).catch(() => null)) === null)
        return [ok('does not exist yet; the first start creates it')]
      const finding = await ofRunningPlatform(config.url)
      if (finding !== null) return [finding]
    }
    const { db, close } = await openDatabase(config, pino({ level: 'silent' }))
    try {
      const migration = await appliedMigration(db)
      const began = now()
      const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`.execute(db)
      return [
        ok(`reachable, at migration ${migration}`),
        skew('the accounts database', Number(rows[0]!.ms), began, now()),
      ]
    } finally {
      await close()
    }
  },
})

/** The state of the accounts database by `/readyz`; null if no platform answers, so that the folder may be opened. */
async function ofRunningPlatform(url: string): Promise<Omit<Finding, 'check'> | null> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null)
  if (response === null) return null
  const body = (await response.json().catch(() => null)) as {
    parts?: Record<string, string>
    error?: { param?: string }
  }
  const migration = body?.parts?.accounts
  if (migration !== undefined) return ok(`reachable for the running platform, at migration ${migration}`)
  const failed = body?.error?.param ?? ''
  if (/\baccounts\b/.test(failed)) throw new Error('the running platform cannot reach the accounts database')
  return response.status === 503 ? ok('reachable for the running platform') : null
}
