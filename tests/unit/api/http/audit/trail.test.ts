import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sessionStore } from '../../../../../connectors/postgres/accounts/sessions/session-store.ts'
import { auditedRequest } from '../../../../../connectors/postgres/core/port.ts'
import { storeEntries } from '../../../../../connectors/postgres/operation/audit-store.ts'
import type { AuditWriter } from '../../../../../connectors/postgres/operation/port.ts'
import { kyselySettings } from '../../../../../connectors/postgres/operation/setting-store.ts'
import type { AuditEntry } from '../../../../../schemas/audit/record.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { embeddedPeople, type People } from '../../../../builders/accounts/team.ts'
import { asAdmin, type RunningApi, startApi } from '../../../../builders/api/api.ts'

let people: People
let api: RunningApi
let noted: AuditEntry[]
let refused: { entry: AuditEntry; source: string }[]

const audit: AuditWriter = {
  store: (entries) => storeEntries(people.db)(entries),
  note: (entry) => void noted.push(entry),
  read: (entry) => void noted.push(entry),
  refuse: (entry, source) => void refused.push({ entry, source }),
}

beforeAll(async () => {
  people = await embeddedPeople()
  const { accounts, team, db } = people
  api = await startApi({
    accounts,
    team,
    audit,
    sessions: sessionStore(db, () => undefined),
    settings: kyselySettings(db),
  })
})
beforeEach(() => {
  noted = []
  refused = []
})
afterEach(() => people.db.deleteFrom('audit_waiting').execute())
afterAll(async () => {
  await api?.close()
  await people?.close()
})

const stored = async (): Promise<AuditEntry[]> => {
  const rows = await people.db.selectFrom('audit_waiting').select('entry').orderBy('seq').execute()
  return rows.map(({ entry }) => JSON.parse(entry.toString()) as AuditEntry)
}
const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(`${api.url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('what an administrator makes has one record with the id of what was made, and none of its words', async () => {
  const answer = await call('POST', '/auth/v2/admin/user', asAdmin, {
    email: 'ada@example.com',
    fullName: 'Ada Secret',
  })
  const { userID } = (await answer.json()) as { userID: string }
  const records = await stored()
  expect(records).toMatchObject([{ action: 'user.make', subject: userID, outcome: 'success', count: 1, keyID: null }])
  expect(JSON.stringify(records)).not.toMatch(/\bada\b|secret/i)
})

test('roles are given and taken away by whoever did it, with the key that it came with', async () => {
  const admin = await person(people.accounts, { roles: ['auth_admin'] })
  const other = await person(people.accounts, {})
  const given = await call('POST', `/auth/v2/admin/user/${other.id}/roles`, admin.headers, { role: 'reporter' })
  expect(given.status).toBe(200)
  await call('DELETE', `/auth/v2/admin/user/${other.id}/roles/reporter`, admin.headers)
  expect((await stored()).map(({ action, subject, userID }) => [action, subject, userID])).toEqual([
    ['role.give', other.id, admin.id],
    ['role.take', other.id, admin.id],
  ])
  expect((await stored()).every(({ keyID }) => keyID !== null && keyID !== admin.id)).toBe(true)
  const reporter = [{ what: 'roles', count: 1, first: ['reporter'] }]
  expect((await stored()).map(({ details }) => details)).toEqual([reporter, reporter])
})

test('a change of a user is told as what it changed, each thing in a record; what changes nothing has none', async () => {
  const other = await person(people.accounts, { roles: ['user', 'reporter'], groups: ['blue'] })
  const path = `/auth/v2/admin/user/${other.id}`
  const actions = async () => (await stored()).map(({ action, subject, outcome }) => [action, subject, outcome])
  const put = async (body: object) => expect((await call('PUT', path, asAdmin, body)).status).toBe(200)
  await put({ roles: ['reporter', 'user'], groups: ['blue'], disabled: false })
  await call('PUT', `${path}/enable`, asAdmin)
  await call('POST', `${path}/roles`, asAdmin, { role: 'reporter' })
  expect(await actions()).toEqual([])
  await put({ roles: ['user', 'trusted'], groups: ['red'], disabled: true })
  const each = ['role.take', 'role.give', 'groups.change', 'user.disable']
  expect(await actions()).toEqual(each.map((action) => [action, other.id, 'success']))
  expect(new Set((await stored()).map(({ id }) => id)).size).toBe(4)
  const said = (await stored()).map(({ details }) => details)
  expect(said).toEqual([
    [{ what: 'roles', count: 1, first: ['reporter'] }],
    [{ what: 'roles', count: 1, first: ['trusted'] }],
    [
      { what: 'given', count: 1, first: ['red'] },
      { what: 'taken', count: 1, first: ['blue'] },
    ],
    undefined,
  ])
  await put({ disabled: false })
  expect((await actions()).at(-1)).toEqual(['user.enable', other.id, 'success'])
})

test('of many groups the record has the first ten and the number of all, and of a new user what it may do', async () => {
  const groups = Array.from({ length: 40 }, (_, i) => `group-${i}`)
  const body = { email: 'grace@example.com', roles: ['auth_admin'], groups }
  const answer = await call('POST', '/auth/v2/admin/user', asAdmin, body)
  const { userID } = (await answer.json()) as { userID: string }
  await call('PUT', `/auth/v2/admin/user/${userID}`, asAdmin, { groups: ['red'] })
  const ten = groups.slice(0, 10)
  expect((await stored()).map(({ action, details }) => [action, details])).toEqual([
    [
      'user.make',
      [
        { what: 'roles', count: 1, first: ['auth_admin'] },
        { what: 'groups', count: 40, first: ten },
      ],
    ],
    [
      'groups.change',
      [
        { what: 'given', count: 1, first: ['red'] },
        { what: 'taken', count: 40, first: ten },
      ],
    ],
  ])
})

test('a change that was not made leaves no record', async () => {
  expect((await call('PUT', `/auth/v2/admin/user/${randomUUID()}/disable`, asAdmin)).status).toBe(404)
  expect((await call('POST', '/auth/v2/admin/user', asAdmin, { email: 'none' })).status).toBe(400)
  expect([await stored(), noted, refused]).toEqual([[], [], []])
})

test('a key that is made is the subject of its record, though what expired is removed by the same request', async () => {
  const user = await person(people.accounts, {})
  const answer = await call('POST', `/auth/v2/admin/user/${user.id}/keypair`, asAdmin, { name: 'laptop', days: 3 })
  const { keyID, apiSecret } = (await answer.json()) as { keyID: string; apiSecret: string }
  expect(await stored()).toMatchObject([{ action: 'key.make', subject: keyID }])
  expect(JSON.stringify(await stored())).not.toContain(apiSecret)
})

test('a wrong secret is a refusal of the key that was tried, by nobody', async () => {
  const user = await person(people.accounts, {})
  const { status } = await call('GET', '/auth/v2/user', { ...user.headers, 'api-secret': 'wrong' })
  expect(status).toBe(401)
  const [one] = refused
  expect(one!.entry).toMatchObject({ action: 'credentials.refused', outcome: 'refused', userID: null, keyID: null })
  expect(one!.entry.subject).toMatch(/^[0-9a-f-]{36}$/)
  expect(one!.source).toBe(one!.entry.subject)
})

test('an unknown key and a missing role are refusals; what the caller wrote is not in them', async () => {
  const user = await person(people.accounts, {})
  await call('GET', '/auth/v2/user', { 'api-key': 'my-password', 'api-secret': 'x' })
  await call('PUT', `/auth/v2/admin/user/${user.id}/enable`, user.headers)
  await call('DELETE', '/auth/v2/admin/session/my-password', user.headers)
  await call('GET', '/api/admin/v1/lag', user.headers)
  expect(refused.map(({ entry: { action, subject, userID } }) => [action, subject, userID])).toEqual([
    ['credentials.refused', '', null],
    ['user.enable', user.id, user.id],
    ['session.end', '', user.id],
    ['permission.refused', '', user.id],
  ])
  expect(JSON.stringify(refused)).not.toContain('my-password')
})

test('a device that asks before it says who it is has tried nothing; one with wrong credentials has', async () => {
  const list = `/api/feeds/v1/feeds/${randomUUID()}/items.text`
  expect((await call('GET', list, {})).status).toBe(401)
  expect(refused).toEqual([])
  const authorization = `Basic ${btoa('any:wrong')}`
  expect((await call('GET', list, { authorization })).status).toBe(401)
  expect((await call('GET', '/api/feeds/v1/t/wrong/items.text', {})).status).toBe(401)
  expect((await call('GET', '/auth/v2/user', {})).status).toBe(401)
  expect(refused).toHaveLength(3)
})

test('a code that is wrong is a refused sign-in', async () => {
  const body = { verificationCodeID: randomUUID(), code: '123456' }
  expect((await call('PUT', '/auth/v2/session/verification', {}, body)).status).toBe(400)
  expect(refused.map(({ entry: { action, outcome } }) => [action, outcome])).toEqual([['session.start', 'refused']])
})

test('reading the audit log is recorded', async () => {
  expect((await call('GET', '/api/admin/v1/audit', asAdmin)).status).toBe(200)
  expect(noted).toMatchObject([{ action: 'audit.read', outcome: 'success', subject: '' }])
})

test('no request is audited outside of its handler', () => {
  expect(auditedRequest()).toBe(undefined)
})
