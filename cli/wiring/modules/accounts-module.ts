import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AccountsPorts } from '../../../api/accounts/ports.ts'
import type { SingleSignOn } from '../../../connectors/oidc/port.ts'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselySignOn } from '../../../connectors/postgres/accounts/sessions/sign-on-store.ts'
import { forgettingTeam, kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { cachedAccounts, credentialCache } from '../../../connectors/postgres/accounts/users/credential-cache.ts'
import { kyselyEmails } from '../../../connectors/postgres/accounts/users/email-store.ts'
import { firstKey } from '../../../connectors/postgres/accounts/users/first-key.ts'
import { kyselyIdentityChecks } from '../../../connectors/postgres/accounts/users/identity-check-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { AppendEvents } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Config } from '../../../platform/config.ts'
import type { Core } from './module.ts'

/** Every change of what a credential stands for invalidates all caches. `accounts.close` closes the database. */
export function openPeople({ db, close }: AccountsDatabase, append: AppendEvents) {
  const credentials = credentialCache(Date.now)
  return {
    accounts: cachedAccounts({ ...kyselyAccounts(db, append), close }, Date.now, credentials),
    team: forgettingTeam(kyselyTeam(db), credentials.change),
    sessions: sessionStore(db, credentials.forget),
    signOn: kyselySignOn(db, credentials.change),
    emails: kyselyEmails(db),
    identityChecks: kyselyIdentityChecks(db),
    forget: credentials.forget,
  }
}

/** The built-in administrator's key pair: configured, else made once on the embedded default (decisions 2.7). */
async function administratorKey(config: Config): Promise<{ key: string; secret: string; made: boolean } | null> {
  if (config.administrator !== null) return { ...config.administrator, made: false }
  if (config.databaseUrl !== null) return null
  const { apiKey, apiSecret } = await firstKey(join(config.dataDir, 'administrator.json'))
  return { key: apiKey, secret: apiSecret, made: true }
}

/**
 * The configured issuer, which nothing is asked of before somebody signs in; null: none, and no library for one is loaded.
 * @throws an Error that names the mapping file when it is broken
 */
async function openSingleSignOn({ oidc }: Pick<Config, 'oidc'>, logger: Logger): Promise<SingleSignOn | null> {
  if (oidc === null) return null
  const { openIdIssuer } = await import('../../../connectors/oidc/issuer.ts')
  const { mappingFile } = await import('../../../connectors/oidc/mapping-file.ts')
  const onBroken = (reason: string): void =>
    logger.error({ reason, path: oidc.mappingFile }, 'the mapping file is not valid; the last valid rules still apply')
  return {
    issuer: openIdIssuer(oidc),
    mapping: mappingFile(oidc.mappingFile, onBroken),
    secure: oidc.redirectUri.startsWith('https:'),
  }
}

/** Users, their sessions, keys and teams, and how they sign in. */
export async function accountsModule({ config, database, append, logger }: Core) {
  const { forget, ...people } = openPeople(database, append)
  return {
    api: { ...people, singleSignOn: await openSingleSignOn(config, logger) } satisfies Partial<AccountsPorts>,
    administrator: await administratorKey(config),
    forget,
  }
}
