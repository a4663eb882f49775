import { join } from 'node:path'
import type { Logger } from 'pino'
import { cachedAccounts } from '../../connectors/accounts/cached.ts'
import { embeddedDatabase } from '../../connectors/accounts/embedded.ts'
import { firstKey } from '../../connectors/accounts/first-key.ts'
import { kyselyAccounts } from '../../connectors/accounts/kysely/accounts.ts'
import type { AccountsDatabase } from '../../connectors/accounts/kysely/tables.ts'
import type { Accounts } from '../../connectors/accounts/port.ts'
import { postgresDatabase } from '../../connectors/accounts/postgres.ts'
import type { Config } from '../../schemas/config.ts'

const POOL = 10

/** Accounts on the configured PostgreSQL, or on the embedded one in the data folder; `close` closes their database. */
export async function openAccounts(
  config: Config,
  logger: Logger,
): Promise<{ db: AccountsDatabase['db']; accounts: Accounts }> {
  const { db, close } =
    config.databaseUrl === null
      ? await embeddedDatabase({ folder: join(config.dataDir, 'accounts') })
      : await postgresDatabase({
          url: config.databaseUrl,
          poolSize: POOL,
          onConnectionLost: (err) => logger.warn({ err }, 'a connection to PostgreSQL was lost'),
        })
  return { db, accounts: cachedAccounts({ ...kyselyAccounts(db), close }, Date.now) }
}

/** The built-in administrator's key pair: configured, else made once on the embedded default (decisions 2.7). */
export async function administratorKey(config: Config): Promise<{ key: string; secret: string; made: boolean } | null> {
  if (config.administrator !== null) return { ...config.administrator, made: false }
  if (config.databaseUrl !== null) return null
  const { apiKey, apiSecret } = await firstKey(join(config.dataDir, 'administrator.json'))
  return { key: apiKey, secret: apiSecret, made: true }
}
