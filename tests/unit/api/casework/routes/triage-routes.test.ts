import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../../../schemas/audit/record.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { crew } from '../../../../builders/accounts/team.ts'
import { assetArea } from '../../../../builders/api/asset-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

const BASE = '/api/casework/v1/triage'
const [A, B] = [entityId('ip', '203.0.113.7'), entityId('ip', '203.0.113.8')].sort() as [string, string]

const area = during(assetArea)

type Headers = Record<string, string>
const change = (headers: Headers, body: unknown) => area.call(headers, 'POST', BASE, body)
const states = async (headers: Headers, ids = [A, B]) =>
  (await area.call(headers, 'POST', `${BASE}/states`, { ids })).body.items
const seen = (id: string, reputation = -2) => ({ id, reputation })

test('what a member marks is told to its colleagues with names, and to nobody else', async () => {
  const [team, others] = [await crew(area.people), await crew(area.people)]
  await area.people.db.updateTable('users').set({ alias: 'ana' }).where('id', '=', team.user.id).execute()
  const body = { entities: [seen(A), seen(B, -3)], handled: true, assignee: team.user2.id, note: 'Blocked.' }
  const { status, body: answer } = await change(team.user.headers, body)
  expect(status).toBe(200)
  const at = new Date(area.clock.now).toISOString()
  const state = {
    entityID: A,
    handled: { at, by: { userID: team.user.id, name: 'ana' }, reputation: -2 },
    assignee: { userID: team.user2.id, name: expect.any(String) },
    note: 'Blocked.',
    updatedAt: at,
  }
  expect(answer.items[0]).toEqual(state)
  expect((await states(team.owner.headers))[0]).toEqual(state)
  expect((await states(team.owner.headers))[1].handled.reputation).toBe(-3)
  expect(await states(others.user.headers)).toEqual([])
})

test('the record of a change of many says how many and the first ten, and that of one entity names it', async () => {
  const team = await crew(area.people)
  const { db } = area.people
  await db.deleteFrom('audit_waiting').execute()
  const many = Array.from({ length: 14 }, (_, i) => entityId('ip', `198.51.100.${i}`))
  await change(team.user.headers, { entities: many.map((id) => seen(id)), handled: true, note: 'a secret note' })
  await change(team.user.headers, { entities: [seen(A)], handled: true })
  const rows = await db.selectFrom('audit_waiting').select('entry').orderBy('seq').execute()
  const [first, second] = rows.map(({ entry }) => JSON.parse(entry.toString()) as AuditEntry)
  const details = [{ what: 'entities', count: 14, first: many.slice(0, 10) }]
  expect(first).toMatchObject({ action: 'triage.change', subject: '', userID: team.user.id, details })
  expect(second).toMatchObject({ action: 'triage.change', subject: A })
  expect(second!.details).toBe(undefined)
  expect(JSON.stringify(rows.map(({ entry }) => entry.toString()))).not.toContain('secret')
})

test('a user without a team keeps its own, which a team that it joins does not see', async () => {
  const alone = await person(area.people.accounts)
  expect((await change(alone.headers, { entities: [seen(A)], note: 'mine' })).status).toBe(200)
  expect((await states(alone.headers))[0].note).toBe('mine')
  const { body } = await area.call(alone.headers, 'GET', `${BASE}/members`)
  expect(body.members.map(({ userID }: { userID: string }) => userID)).toEqual([alone.id])
})

test('only a member can be assigned to, and members are listed to each of them', async () => {
  const [team, others] = [await crew(area.people), await crew(area.people)]
  const refused = await change(team.user.headers, { entities: [seen(A)], assignee: others.user.id })
  expect([refused.status, refused.body.error.param]).toEqual([400, 'assignee'])
  expect(await states(team.user.headers)).toEqual([])
  const { body } = await area.call(team.user.headers, 'GET', `${BASE}/members`)
  expect(body.members).toHaveLength(5)
})

test('a change names at least one entity, each once, and something to change', async () => {
  const { user } = await crew(area.people)
  const bodies = [
    { entities: [], note: 'x' },
    { entities: [seen(A)] },
    { entities: [seen(A), seen(A)], note: 'x' },
    { entities: [seen('not an id')], note: 'x' },
    { entities: [seen(A, -4)], handled: true },
    { entities: Array.from({ length: 101 }, (_, n) => seen(entityId('ip', `203.0.113.${n}`))), note: 'x' },
    { entities: [seen(A)], note: 'x'.repeat(2_001) },
  ]
  for (const body of bodies)
    expect((await change(user.headers, body)).status, JSON.stringify(body).slice(0, 80)).toBe(400)
})

test('who was deleted is assigned to no more and has no name', async () => {
  const team = await crew(area.people)
  await change(team.user.headers, { entities: [seen(A)], handled: true })
  await area.people.offboarding.deleteUser(team.user.id, cause())
  const [state] = await states(team.owner.headers)
  expect(state.handled.by).toEqual({ userID: team.user.id, name: null })
})
