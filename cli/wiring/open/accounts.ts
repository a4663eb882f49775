import { join } from 'node:path'
import type { Logger } from 'pino'
import type { SessionStore, SignOn } from '../../../connectors/postgres/accounts/sessions/port.ts'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselySignOn } from '../../../connectors/postgres/accounts/sessions/sign-on-store.ts'
import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import { forgettingTeam, kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { cachedAccounts, credentialCache } from '../../../connectors/postgres/accounts/users/credential-cache.ts'
import { kyselyEmails } from '../../../connectors/postgres/accounts/users/email-store.ts'
import { firstKey } from '../../../connectors/postgres/accounts/users/first-key.ts'
import { kyselyIdentityChecks } from '../../../connectors/postgres/accounts/users/identity-check-store.ts'
import type { Accounts, Emails, IdentityChecks } from '../../../connectors/postgres/accounts/users/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server/server-database.ts'
import { kyselyNames } from '../../../connectors/postgres/operation/name-store.ts'
import type { AppendEvents } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Names, Settings } from '../../../connectors/postgres/operation/port.ts'
import { kyselySettings } from '../../../connectors/postgres/operation/setting-store.ts'
import type { Config } from '../../../platform/config.ts'
import { logAvailability } from './availability.ts'

const POOL = 10

/** The configured PostgreSQL, or the embedded one in the data folder: one database for all that accounts are made of. */
export async function openDatabase(config: Config, logger: Logger): Promise<AccountsDatabase> {
  return config.databaseUrl === null
    ? await embeddedDatabase({ folder: join(config.dataDir, 'accounts') })
    : await postgresDatabase({
        url: config.databaseUrl,
        poolSize: POOL,
        onConnectionLost: (err) => logger.warn({ err }, 'lost a connection to PostgreSQL'),
        onAvailabilityChange: logAvailability(logger),
      })
}

export type OpenAccounts = {
  accounts: Accounts
  team: Team
  sessions: SessionStore
  signOn: SignOn
  emails: Emails
  identityChecks: IdentityChecks
  settings: Settings
  names: Names
  forget: () => void
}

/** Every change of what a credential stands for invalidates all caches. `accounts.close` closes the database. */
export function openAccounts({ db, close }: AccountsDatabase, append: AppendEvents): OpenAccounts {
  const credentials = credentialCache(Date.now)
  return {
    accounts: cachedAccounts({ ...kyselyAccounts(db, append), close }, Date.now, credentials),
    team: forgettingTeam(kyselyTeam(db), credentials.change),
    sessions: sessionStore(db, credentials.forget),
    signOn: kyselySignOn(db, credentials.change),
    emails: kyselyEmails(db),
    identityChecks: kyselyIdentityChecks(db),
    settings: kyselySettings(db),
    names: kyselyNames(db),
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
