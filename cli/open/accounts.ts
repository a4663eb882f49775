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
import { kyselyEmails } from '../../connectors/emails/kysely.ts'
import type { Emails } from '../../connectors/emails/port.ts'
import { kyselyIdentityChecks } from '../../connectors/identity-checks/kysely.ts'
import type { IdentityChecks } from '../../connectors/identity-checks/port.ts'
import type { AppendEvents } from '../../connectors/outbox/append.ts'
import { sessionStore } from '../../connectors/sessions/kysely/store.ts'
import type { SessionStore } from '../../connectors/sessions/port.ts'
import { kyselySettings } from '../../connectors/settings/kysely.ts'
import type { Settings } from '../../connectors/settings/port.ts'
import { forgettingTeam } from '../../connectors/team/forgetting.ts'
import { kyselyTeam } from '../../connectors/team/kysely/team.ts'
import type { Team } from '../../connectors/team/port.ts'
import type { Config } from '../../schemas/config.ts'
import { presenceTold } from './presence.ts'

const POOL = 10

/** The configured PostgreSQL, or the embedded one in the data folder: one database for all that accounts are made of. */
export async function openDatabase(config: Config, logger: Logger): Promise<AccountsDatabase> {
  return config.databaseUrl === null
    ? await embeddedDatabase({ folder: join(config.dataDir, 'accounts') })
    : await postgresDatabase({
        url: config.databaseUrl,
        poolSize: POOL,
        onConnectionLost: (err) => logger.warn({ err }, 'lost a connection to PostgreSQL'),
        told: presenceTold(logger),
      })
}

export type OpenAccounts = {
  accounts: Accounts
  team: Team
  sessions: SessionStore
  emails: Emails
  identityChecks: IdentityChecks
  settings: Settings
  forget: () => void
}

/** Whoever changes what a credential stands for makes all of them forget it. `accounts.close` closes the database. */
export function openAccounts({ db, close }: AccountsDatabase, append: AppendEvents): OpenAccounts {
  const credentials = credentialCache(Date.now)
  return {
    accounts: cachedAccounts({ ...kyselyAccounts(db, append), close }, Date.now, credentials),
    team: forgettingTeam(kyselyTeam(db), credentials.change),
    sessions: sessionStore(db, credentials.forget),
    emails: kyselyEmails(db),
    identityChecks: kyselyIdentityChecks(db),
    settings: kyselySettings(db),
    forget: credentials.forget,
  }
}

/** The built-in administrator's key pair: configured, else made once on the embedded default (decisions 2.7). */
export async function administratorKey(config: Config): Promise<{ key: string; secret: string; made: boolean } | null> {
  if (config.administrator !== null) return { ...config.administrator, made: false }
  if (config.databaseUrl !== null) return null
  const { apiKey, apiSecret } = await firstKey(join(config.dataDir, 'administrator.json'))
  return { key: apiKey, secret: apiSecret, made: true }
}
