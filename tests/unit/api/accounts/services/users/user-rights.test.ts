import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asAdmin } from '../../../../../builders/api/api.ts'
import { newEmail, sessionArea } from '../../../../../builders/api/session-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

const as = (method: string, path: string, body?: unknown) =>
  area.call(method, `/auth/v2/admin/user${path}`, { headers: asAdmin, body })

async function newcomer() {
  const ada = await area.member()
  const { userID } = (await area.call('GET', '/auth/v2/user', { headers: ada.headers })).body
  return { ...ada, id: userID as string }
}

test('single roles are given, listed and taken; the others stay', async () => {
  const { id } = await newcomer()
  expect(await as('POST', `/${id}/roles`, { role: 'reporter', userID: '' })).toMatchObject({
    status: 200,
    body: { userID: id, role: 'reporter' },
  })
  await as('POST', `/${id}/roles`, { role: 'reporter', userID: id })
  expect((await as('GET', `/${id}/roles`)).body).toEqual({ userID: id, roles: ['user', 'reporter'] })
  expect((await as('DELETE', `/${id}/roles/user`)).status).toBe(204)
  expect((await as('GET', `/${id}/roles`)).body.roles).toEqual(['reporter'])
  expect((await as('DELETE', `/${id}/roles/user`)).status).toBe(404)
})

test('roles that are given in the same moment are all kept', async () => {
  const { id } = await newcomer()
  const roles = ['reporter', 'trusted', 'billing_admin', 'compute_admin']
  await Promise.all(roles.map((role) => as('POST', `/${id}/roles`, { role })))
  expect((await as('GET', `/${id}/roles`)).body.roles).toEqual(['user', ...roles])
})

test('what is wrong with a role is named', async () => {
  const { id } = await newcomer()
  for (const [path, body, status] of [
    [`/${id}/roles`, { role: 'king' }, 400],
    [`/${id}/roles`, { role: 'user', userID: randomUUID() }, 400],
    [`/${randomUUID()}/roles`, { role: 'user' }, 404],
  ] as const)
    expect([body, (await as('POST', path, body)).status]).toEqual([body, status])
  expect((await as('DELETE', `/${id}/roles/king`)).status).toBe(400)
  expect((await as('GET', `/${randomUUID()}/roles`)).status).toBe(404)
})

test('a disabled user is refused until it is enabled', async () => {
  const { id, headers } = await newcomer()
  const own = async () => (await area.call('GET', '/auth/v2/user', { headers })).status
  expect((await as('PUT', `/${id}/disable`)).status).toBe(204)
  expect(await own()).toBe(401)
  expect((await as('PUT', `/${id}/enable`)).status).toBe(204)
  expect(await own()).toBe(200)
  expect((await as('PUT', `/${randomUUID()}/disable`)).status).toBe(404)
})

test('users are found by role, by being enabled and by their identity check', async () => {
  const { id, headers } = await newcomer()
  await as('POST', `/${id}/roles`, { role: 'trusted' })
  await area.call('POST', '/auth/v2/verify', { headers })
  const found = async (query: string) =>
    ((await as('GET', `s?limit=100&${query}`)).body.users as { id: string }[]).map((user) => user.id)
  expect(await found('role=trusted&enabled=true')).toContain(id)
  expect(await found('verification=pending')).toEqual([id])
  await as('PUT', `/${id}/disable`)
  expect(await found('role=trusted&enabled=true')).not.toContain(id)
  expect(await found('role=trusted&enabled=false')).toContain(id)
})

test('a user that a partner brings is told by mail where to start, when that is asked for', async () => {
  const email = newEmail()
  const partner = (body: object) => area.call('POST', '/auth/v2/partners/user', { headers: asAdmin, body })
  const made = await partner({
    email,
    fullName: 'Ada',
    alias: 'ada',
    roles: ['user'],
    portalURL: 'https://portal.example/',
    notify: true,
  })
  expect(made.status).toBe(201)
  expect(area.mail.mails.at(-1)).toMatchObject({ to: email, text: expect.stringContaining('https://portal.example/') })
  const before = area.mail.mails.length
  expect((await partner({ email: newEmail(), roles: ['user'], portalURL: '', notify: false })).status).toBe(201)
  expect(area.mail.mails).toHaveLength(before)
  expect((await partner({ email, notify: true })).status).toBe(409)
  expect((await partner({ email: newEmail(), portalURL: 'javascript:alert(1)' })).status).toBe(400)
})
