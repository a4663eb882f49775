/** The API over real tables in memory, a mailbox and a clock, for tests of sessions and key pairs. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { cachedAccounts, credentialCache } from '../../../connectors/postgres/accounts/users/credential-cache.ts'
import { kyselyEmails } from '../../../connectors/postgres/accounts/users/email-store.ts'
import { kyselyIdentityChecks } from '../../../connectors/postgres/accounts/users/identity-check-store.ts'
import { memoryDatabase } from '../accounts/database/memory-database.ts'
import { mailbox } from '../accounts/mailbox.ts'
import { append } from '../lifecycle/events.ts'
import { startApi } from './api.ts'

export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

export type Opened = { bearer: string; sessionID: string; expireAt: number; verificationCodeID: string }
export type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const newEmail = () => `${randomUUID()}@example.com`

export async function sessionArea() {
  const { db, close } = await memoryDatabase()
  const clock = { now: 1_800_000_000_000 }
  const credentials = credentialCache(() => clock.now)
  const accounts = cachedAccounts({ ...kyselyAccounts(db, append), close }, () => clock.now, credentials)
  const mail = mailbox()
  const pauses: number[] = []
  const api = await startApi(
    {
      accounts,
      sessions: sessionStore(db, credentials.forget),
      emails: kyselyEmails(db),
      identityChecks: kyselyIdentityChecks(db),
      team: kyselyTeam(db),
      mailer: mail,
      now: () => clock.now,
      pause: async (ms) => void pauses.push(ms),
    },
    { trustedProxies: 1 },
  )

  /** Every call comes from an address of its own, unless `ip` is given: bounds per address are for their own tests. */
  let calls = 0
  const call = async (
    method: string,
    path: string,
    { body, headers = {}, ip }: { body?: unknown; headers?: Record<string, string>; ip?: string } = {},
  ): Promise<Answer> => {
    calls++
    const response = await fetch(api.url + path, {
      method,
      headers: {
        'x-forwarded-for': ip ?? `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  const register = (email: string, given: object = {}) =>
    call('POST', '/auth/v2/user', { body: { email, fullName: 'Ada Lovelace', alias: 'ada', ...given } })

  const logIn = (email: string, given: { kind?: string; ip?: string } = {}) => {
    const { ip, ...rest } = given
    return call('POST', '/auth/v2/session', { body: { email, ...rest }, ...(ip === undefined ? {} : { ip }) })
  }

  const verify = (verificationCodeID: unknown, code: string) =>
    call('PUT', '/auth/v2/session/verification', { body: { verificationCodeID, code } })

  /** A verified session of a new user. */
  const member = async (
    email = newEmail(),
  ): Promise<Opened & { email: string; headers: { authorization: string } }> => {
    const opened = (await register(email)).body as Opened
    const { status } = await verify(opened.verificationCodeID, mail.codeFor(email))
    if (status !== 200) throw new Error(`not verified: ${status}`)
    return { ...opened, email, headers: bearer(opened.bearer) }
  }

  /** Everything in every table of ours, as text. */
  const dump = async (): Promise<string> => {
    let text = ''
    for (const table of ['users', 'emails', 'sessions', 'key_pairs', 'verification_codes', 'known_networks']) {
      const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.table(table)} t`.execute(db)
      text += rows.map(({ row }) => `${table} ${row}\n`).join('')
    }
    return text
  }

  const stop = async () => {
    await api.close()
    await close()
  }
  return { db, accounts, clock, mail, pauses, call, register, logIn, verify, member, dump, close: stop }
}
