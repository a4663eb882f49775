import { join } from 'node:path'
import type { Logger } from 'pino'
import { cachedAccounts } from '../../connectors/accounts/cached.ts'
import { credentialCache } from '../../connectors/accounts/credential-cache.ts'
import { embeddedDatabase } from '../../connectors/accounts/embedded.ts'
import { firstKey } from '../../connectors/accounts/first-key.ts'
import { kyselyAccounts } from '../../connectors/accounts/kysely/accounts.ts'
import type { AccountsDatabase } from '../../connectors/accounts/kysely/tables.ts'
import type { Accounts } from '../../connectors/accounts/port.ts'
import { postgresDatabase } from '../../connectors/accounts/postgres.ts'
import { forgettingTeam } from '../../connectors/team/forgetting.ts'
import { kyselyTeam } from '../../connectors/team/kysely/team.ts'
import type { Team } from '../../connectors/team/port.ts'
import type { Config } from '../../schemas/config.ts'

const POOL = 10

/** Accounts and teams over one database: the configured PostgreSQL, or the embedded one in the data folder. */
export async function openAccounts(config: Config, logger: Logger): Promise<{ accounts: Accounts; team: Team }> {
  const { db, close } = await openDatabase(config, logger)
  const credentials = credentialCache(Date.now)
  return {
    accounts: cachedAccounts({ ...kyselyAccounts(db), close }, Date.now, credentials),
    team: forgettingTeam(kyselyTeam(db), credentials.change),
  }
}

const openDatabase = (config: Config, logger: Logger): Promise<AccountsDatabase> =>
  config.databaseUrl === null
    ? embeddedDatabase({ folder: join(config.dataDir, 'accounts') })
    : postgresDatabase({
        url: config.databaseUrl,
        poolSize: POOL,
        onConnectionLost: (err) => logger.warn({ err }, 'a connection to PostgreSQL was lost'),
      })

/** The built-in administrator's key pair: configured, else made once on the embedded default (decisions 2.7). */
export async function administratorKey(config: Config): Promise<{ key: string; secret: string; made: boolean } | null> {
  if (config.administrator !== null) return { ...config.administrator, made: false }
  if (config.databaseUrl !== null) return null
  const { apiKey, apiSecret } = await firstKey(join(config.dataDir, 'administrator.json'))
  return { key: apiKey, secret: apiSecret, made: true }
}
