import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asAdmin } from '../../../../../builders/api/api.ts'
import { bearer, DAY, newEmail, type Opened, sessionArea } from '../../../../../builders/api/session-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

type Headers = Record<string, string>

const as = (method: string, path: string, body?: unknown) =>
  area.call(method, `/auth/v2/admin/${path}`, { headers: asAdmin, body })
const me = (headers: Headers) => area.call('GET', '/auth/v2/session', { headers })

test('sessions of all users are listed newest first, with the roles of their users', async () => {
  const ada = await area.member()
  const { userID } = (await me(ada.headers)).body
  const { status, body } = await as('GET', 'sessions?limit=1')
  expect(status).toBe(200)
  expect(body).toEqual({
    items: expect.any(Number),
    pages: body.items,
    sessions: [
      {
        sessionID: ada.sessionID,
        userID,
        roles: ['user'],
        kind: '',
        verified: true,
        createdAt: new Date(area.clock.now).toISOString(),
        expireAt: new Date(area.clock.now + 30 * DAY).toISOString(),
      },
    ],
  })
})

test('an administrator opens a session of a user, and ends it', async () => {
  const ada = await area.member()
  const { userID } = (await me(ada.headers)).body
  const opened = await as('POST', `user/${userID}/session`, { kind: 'support' })
  expect(opened.status).toBe(201)
  const session = bearer(opened.body.bearer as string)
  expect((await me(session)).body).toMatchObject({ userID, kind: 'support', sessionID: opened.body.sessionID })
  expect((await as('DELETE', `session/${opened.body.sessionID}`)).status).toBe(204)
  expect((await me(session)).status).toBe(401)
  expect((await as('DELETE', `session/${opened.body.sessionID}`)).status).toBe(404)
  expect((await as('POST', `user/${userID}/session`)).status).toBe(201)
  expect((await as('POST', `user/${randomUUID()}/session`)).status).toBe(404)
})

test('an administrator lets a session begin whose mail does not come, once', async () => {
  const email = newEmail()
  const opened = (await area.register(email)).body as Opened
  expect((await me(bearer(opened.bearer))).status).toBe(401)
  expect((await as('PUT', `session/${opened.sessionID}/verify`)).status).toBe(204)
  expect((await me(bearer(opened.bearer))).body).toMatchObject({ sessionID: opened.sessionID, verified: true })
  expect((await area.verify(opened.verificationCodeID, area.mail.codeFor(email))).status).toBe(400)
  expect((await as('PUT', `session/${randomUUID()}/verify`)).status).toBe(404)
})

test('a login for an address that nobody has is not made to count', async () => {
  const opened = (await area.logIn(newEmail())).body as Opened
  expect((await as('PUT', `session/${opened.sessionID}/verify`)).status).toBe(404)
})

test('key pairs of all users are listed without secrets, verified and deleted', async () => {
  const ada = await area.member()
  const make = async (headers: Headers) =>
    (await area.call('POST', '/auth/v2/keypair', { headers, body: { name: 'laptop', days: 1 } })).body
  const first = await make(ada.headers)
  const pair = (made: Record<string, unknown>) => ({
    'api-key': made.apiKey as string,
    'api-secret': made.apiSecret as string,
  })
  const waiting = await make(pair(first))
  const own = (made: Record<string, unknown>) => area.call('GET', '/auth/v2/keypair', { headers: pair(made) })
  expect((await own(waiting)).status).toBe(401)
  const { body } = await as('GET', 'keypairs')
  expect(JSON.stringify(body)).not.toContain(first.apiSecret as string)
  expect(body).toMatchObject({ items: 2, pages: 1 })
  expect(body.keyPairs).toContainEqual({
    id: waiting.keyID,
    userID: expect.any(String),
    name: 'laptop',
    apiKey: waiting.apiKey,
    verified: false,
    createdAt: new Date(area.clock.now).toISOString(),
    expireAt: new Date(area.clock.now + DAY).toISOString(),
    scopes: null,
    groups: null,
    networks: null,
    previousSecretUntil: null,
  })
  expect((await as('PUT', `keypair/${waiting.keyID}/verify`)).status).toBe(204)
  expect((await own(waiting)).status).toBe(200)
  expect((await as('DELETE', `keypair/${waiting.keyID}`)).status).toBe(204)
  expect((await own(waiting)).status).toBe(401)
  expect((await as('DELETE', `keypair/${waiting.keyID}`)).status).toBe(404)
  expect((await as('PUT', `keypair/${randomUUID()}/verify`)).status).toBe(404)
})

test('a key pair without a body has a name and a year', async () => {
  const ada = await area.member()
  const { userID } = (await me(ada.headers)).body
  const { status, body } = await as('POST', `user/${userID}/keypair`)
  expect([status, body.expireAt]).toEqual([201, Math.floor((area.clock.now + 365 * DAY) / 1000)])
  expect((await as('POST', `user/${userID}/keypair`, { days: 1 })).status).toBe(400)
})
