import { join } from 'node:path'
import type { Logger } from 'pino'
import { cachedAccounts } from '../../../connectors/postgres/accounts/cached.ts'
import { credentialCache } from '../../../connectors/postgres/accounts/credential-cache.ts'
import { firstKey } from '../../../connectors/postgres/accounts/first-key.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/kysely.ts'
import type { Accounts } from '../../../connectors/postgres/accounts/port.ts'
import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { postgresDatabase } from '../../../connectors/postgres/database/server.ts'
import { kyselyEmails } from '../../../connectors/postgres/emails/kysely.ts'
import type { Emails } from '../../../connectors/postgres/emails/port.ts'
import { kyselyIdentityChecks } from '../../../connectors/postgres/identity-checks/kysely.ts'
import type { IdentityChecks } from '../../../connectors/postgres/identity-checks/port.ts'
import { kyselyNames } from '../../../connectors/postgres/names/kysely.ts'
import type { Names } from '../../../connectors/postgres/names/port.ts'
import type { AppendEvents } from '../../../connectors/postgres/outbox/append.ts'
import type { SessionStore } from '../../../connectors/postgres/sessions/port.ts'
import { sessionStore } from '../../../connectors/postgres/sessions/store.ts'
import { kyselySettings } from '../../../connectors/postgres/settings/kysely.ts'
import type { Settings } from '../../../connectors/postgres/settings/port.ts'
import { kyselySignOn } from '../../../connectors/postgres/sign-on/kysely.ts'
import type { SignOn } from '../../../connectors/postgres/sign-on/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'
import { forgettingTeam } from '../../../connectors/postgres/team/forgetting.ts'
import type { Team } from '../../../connectors/postgres/team/port.ts'
import { kyselyTeam } from '../../../connectors/postgres/team/team.ts'
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
