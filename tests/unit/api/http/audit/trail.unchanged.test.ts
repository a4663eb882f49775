import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionStore } from '../../../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyEmails } from '../../../../../connectors/postgres/accounts/users/email-store.ts'
import { kyselyIdentityChecks } from '../../../../../connectors/postgres/accounts/users/identity-check-store.ts'
import { kyselySettings } from '../../../../../connectors/postgres/operation/setting-store.ts'
import type { AuditEntry } from '../../../../../schemas/audit/record.ts'
import { type Crew, crew, embeddedPeople, type People } from '../../../../builders/accounts/team.ts'
import { asAdmin, type RunningApi, startApi } from '../../../../builders/api/api.ts'

const ADMIN = '/auth/v2/admin'
const BILLING = '/api/billing/v1'
let people: People
let team: Crew
let api: RunningApi

beforeAll(async () => {
  people = await embeddedPeople()
  const { accounts, db } = people
  team = await crew(people)
  api = await startApi({
    accounts,
    team: people.team,
    sessions: sessionStore(db, () => undefined),
    settings: kyselySettings(db),
    emails: kyselyEmails(db),
    identityChecks: kyselyIdentityChecks(db),
  })
})
beforeEach(() => people.db.deleteFrom('audit_waiting').execute())
afterAll(async () => {
  await api?.close()
  await people?.close()
})

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = asAdmin) => {
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}
const records = async (): Promise<AuditEntry[]> => {
  const rows = await people.db.selectFrom('audit_waiting').select('entry').orderBy('seq').execute()
  return rows.map(({ entry }) => JSON.parse(entry.toString()) as AuditEntry)
}
const actions = async (): Promise<string[]> => (await records()).map(({ action }) => action)
/** The same request three times answers alike, and leaves the records of one. */
async function thrice(request: () => Promise<{ status: number; body: unknown }>, wanted: string[]) {
  const first = await request()
  expect(first.status).toBeLessThan(300)
  expect(await actions()).toEqual(wanted)
  expect([await request(), await request()]).toEqual([first, first])
  expect(await actions()).toEqual(wanted)
}

describe('administration that changes nothing has no record:', () => {
  test('a tier that is the default', async () => {
    await thrice(() => call('PUT', `${BILLING}/admin/tiers/free/default`), [])
    await thrice(() => call('PUT', `${BILLING}/admin/tiers/pro/default`), ['tier.default'])
    await thrice(() => call('PUT', `${BILLING}/admin/tiers/free/default`), ['tier.default', 'tier.default'])
  })

  test('a session and a key pair that are verified', async () => {
    const { db } = people
    const user = team.user.id
    const { sessionID } = (await call('POST', `${ADMIN}/user/${user}/session`, { kind: 'web' })).body
    const { keyID } = (await call('POST', `${ADMIN}/user/${user}/keypair`, { name: 'x', days: 1 })).body
    await db.updateTable('sessions').set({ verified: false }).where('id', '=', sessionID).execute()
    await db.updateTable('key_pairs').set({ verified: false }).where('id', '=', keyID).execute()
    await db.deleteFrom('audit_waiting').execute()
    await thrice(() => call('PUT', `${ADMIN}/session/${sessionID}/verify`), ['session.verify'])
    await thrice(() => call('PUT', `${ADMIN}/keypair/${keyID}/verify`), ['session.verify', 'key.verify'])
    for (const kind of ['session', 'keypair'])
      expect((await call('PUT', `${ADMIN}/${kind}/${randomUUID()}/verify`)).status).toBe(404)
  })

  test('an address that is verified, and one that is preferred', async () => {
    const address = { address: 'other@example.com', verified: false }
    const { id: emailID } = (await call('POST', `${ADMIN}/user/${team.user.id}/email`, address)).body
    await people.db.deleteFrom('audit_waiting').execute()
    await thrice(() => call('PUT', `${ADMIN}/email/${emailID}/verify`), ['email.verify'])
    await thrice(() => call('PUT', `${ADMIN}/email/preferred`, { emailID }), ['email.verify', 'email.prefer'])
    expect((await call('PUT', `${ADMIN}/email/${randomUUID()}/verify`)).status).toBe(404)
  })

  test('an identity that is decided as it was', async () => {
    const path = `${ADMIN}/user/${team.user2.id}`
    await thrice(() => call('PUT', `${path}/verification/reset`), [])
    await thrice(() => call('PUT', `${path}/verify`), ['identity.verify'])
    await thrice(() => call('PUT', `${path}/unverify`), ['identity.verify', 'identity.unverify'])
    await thrice(
      () => call('PUT', `${path}/verification/reset`),
      ['identity.verify', 'identity.unverify', 'identity.reset'],
    )
  })

  test('a member whose role stays, and a key pair that is as narrow already', async () => {
    const to = (role: string) => () =>
      call('PUT', `${BILLING}/customer/member`, { userID: team.user.id, role }, team.owner.headers)
    await thrice(to('user'), [])
    await thrice(to('admin'), ['member.change'])
    const [record] = await records()
    expect(record!.details).toEqual([{ what: 'roles', count: 1, first: ['admin'] }])
    const { keyID } = (await call('POST', `${ADMIN}/user/${team.user2.id}/keypair`, { name: 'x', days: 1 })).body
    await people.db.deleteFrom('audit_waiting').execute()
    const narrowed = { scopes: ['read', 'search'], networks: ['198.51.100.0/24'] }
    const patch = () => call('PATCH', `/auth/v2/keypair/${keyID}`, narrowed, team.user2.headers)
    await thrice(patch, ['key.narrow'])
  })
})
