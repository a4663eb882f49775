/** The API over real tables in memory and an issuer, with browsers that have cookies: for tests of single sign-on. */

import { sql } from 'kysely'
import pino from 'pino'
import { openIdIssuer } from '../../../../connectors/oidc/issuer.ts'
import { sessionStore } from '../../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselySignOn } from '../../../../connectors/postgres/accounts/sessions/sign-on-store.ts'
import { forgettingTeam, kyselyTeam } from '../../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../../connectors/postgres/accounts/users/account-store.ts'
import { cachedAccounts, credentialCache } from '../../../../connectors/postgres/accounts/users/credential-cache.ts'
import { kyselyEmails } from '../../../../connectors/postgres/accounts/users/email-store.ts'
import { type Mapping, NO_MAPPING } from '../../../../schemas/accounts/sign-on/mapping.ts'
import type { AuditEntry } from '../../../../schemas/audit/record.ts'
import { startApi } from '../../api/api.ts'
import { noAudit } from '../../api/ports.ts'
import { append } from '../../lifecycle/events.ts'
import { memoryDatabase } from '../database/memory-database.ts'
import { CLIENT_ID, CLIENT_SECRET, faultyIssuer } from './faulty.ts'

const PATH = '/auth/v2/oidc'

export type Returned = { status: number; page: string; told: Record<string, string> }

export async function signOnArea({ trustsEmail = false } = {}) {
  const { db, close } = await memoryDatabase()
  const issuer = await faultyIssuer()
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
  /** Why sign-ons failed, as the log says it. */
  const faults: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void faults.push(String(JSON.parse(line).fault)) })
  /** Refusals of the audit log: action, subject and user. */
  const refusals: Pick<AuditEntry, 'action' | 'subject' | 'userID'>[] = []
  const refuse = ({ action, subject, userID }: AuditEntry) => void refusals.push({ action, subject, userID })
  const mapping = { now: NO_MAPPING as Mapping }
  const credentials = credentialCache(clock.now)
  const accounts = cachedAccounts({ ...kyselyAccounts(db, append), close }, clock.now, credentials)
  const signOn = kyselySignOn(db, credentials.change)
  const settings = { issuer: issuer.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, trustsEmail }
  const redirectUri = 'http://127.0.0.1/auth/v2/oidc/callback'
  const team = forgettingTeam(kyselyTeam(db), credentials.change)
  const api = await startApi({
    accounts,
    team,
    emails: kyselyEmails(db),
    sessions: sessionStore(db, credentials.forget),
    signOn,
    singleSignOn: {
      issuer: openIdIssuer({ ...settings, redirectUri }),
      mapping: async () => mapping.now,
      secure: false,
    },
    audit: { ...noAudit, refuse },
    now: clock.now,
    logger,
  })

  const call = async (method: string, path: string, bearer?: string, body?: URLSearchParams, cookie?: string) => {
    const response = await fetch(api.url + path, {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(cookie === undefined ? {} : { cookie }),
      },
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** A browser with a cookie of its own. */
  const browser = () => {
    let cookie: string | undefined
    const go = async (method: string, path: string, bearer?: string) => {
      const answer = await call(method, path, bearer, undefined, cookie)
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return answer
    }
    const start = async (query = ''): Promise<string> =>
      (await go('GET', `${PATH}/start${query}`)).headers.get('location') ?? ''
    const back = async (answer: Record<string, string>): Promise<Returned> => {
      const { status, headers } = await go('GET', `${PATH}/callback?${new URLSearchParams(answer)}`)
      const [page = '', fragment] = (headers.get('location') ?? '').split('#')
      return { status, page, told: Object.fromEntries(new URLSearchParams(fragment)) }
    }
    return {
      go,
      start,
      back,
      cookie: () => cookie,
      /** The whole way through the issuer. */
      signIn: async (query = ''): Promise<Returned> => back(issuer.authorize(await start(query))),
      /** The same to link the account of a session. */
      async link(bearer: string): Promise<Returned> {
        const { status, body } = await go('POST', `${PATH}/link`, bearer)
        if (status !== 201) throw new Error(`no link was begun: ${status} ${JSON.stringify(body)}`)
        return back(issuer.authorize(body.url))
      },
    }
  }

  /** How many users and sessions there are. */
  const counted = async (): Promise<{ users: number; sessions: number }> => {
    const { rows } = await sql<{ users: number; sessions: number }>`
      SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM sessions) AS sessions`.execute(db)
    return rows[0]!
  }

  return {
    db,
    issuer,
    clock,
    mapping,
    faults,
    refusals,
    accounts,
    team,
    signOn,
    api,
    call,
    browser,
    counted,
    logOut: (token: string) =>
      call('POST', `${PATH}/backchannel-logout`, undefined, new URLSearchParams({ logout_token: token })),
    async close() {
      await api.close()
      await close()
      await issuer.close()
    },
  }
}
