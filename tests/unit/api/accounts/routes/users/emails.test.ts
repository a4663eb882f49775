import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { userOffboarding } from '../../../../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { asAdmin } from '../../../../../builders/api/api.ts'
import { bearer, MINUTE, newEmail, type Opened, sessionArea } from '../../../../../builders/api/session-area.ts'
import { append, cause } from '../../../../../builders/lifecycle/events.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

type Headers = Record<string, string>
type Shown = { id: string; address: string; verified: boolean; preferred: boolean }

const list = async (headers: Headers) =>
  (await area.call('GET', '/auth/v2/emails', { headers })).body as unknown as Shown[]
const add = (headers: Headers, address: string) => area.call('POST', '/auth/v2/email', { headers, body: { address } })
const verify = (verificationCodeID: unknown, code: string) =>
  area.call('PUT', '/auth/v2/email/verification', { body: { verificationCodeID, code } })
const prefer = (headers: Headers, emailID: string) =>
  area.call('PUT', '/auth/v2/email/preferred', { headers, body: { emailID } })
const remove = (headers: Headers, id: string) => area.call('DELETE', `/auth/v2/email/${id}`, { headers })
const userOf = async (headers: Headers) => (await area.call('GET', '/auth/v2/session', { headers })).body.userID

/** A second, verified address of the user; resolves to its id. */
async function second(headers: Headers, address = newEmail()): Promise<{ id: string; address: string }> {
  const { body } = await add(headers, address)
  expect((await verify(body.verificationCodeID, area.mail.codeFor(address))).status).toBe(200)
  return { id: body.id as string, address }
}

async function loggedIn(email: string): Promise<Headers> {
  const opened = (await area.logIn(email)).body as Opened
  await area.verify(opened.verificationCodeID, area.mail.codeFor(email))
  return bearer(opened.bearer)
}

async function keyPair(headers: Headers): Promise<Headers> {
  const { body } = await area.call('POST', '/auth/v2/keypair', { headers, body: { name: 'laptop', days: 1 } })
  return { 'api-key': body.apiKey as string, 'api-secret': body.apiSecret as string }
}

test('the address of a registration is the first one, verified and preferred', async () => {
  const ada = await area.member()
  expect(await list(ada.headers)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address: ada.email,
      verified: true,
      preferred: true,
      createdAt: new Date(area.clock.now).toISOString(),
    },
  ])
})

test('an added address counts once its code came: it opens sessions of the same user', async () => {
  const ada = await area.member()
  const address = newEmail()
  const { status, body } = await add(ada.headers, address)
  expect([status, body.message]).toEqual([201, 'acknowledged'])
  expect(await list(ada.headers)).toMatchObject([{ verified: true }, { address, verified: false, preferred: false }])
  // Not before: a code for a stranger's address would open a session of its reader.
  const before = area.mail.mails.length
  await area.logIn(address)
  expect(area.mail.mails).toHaveLength(before)

  const code = area.mail.mails.findLast(({ to }) => to === address)!.text.match(/\d{6}/)![0]
  expect(await verify(body.verificationCodeID, code)).toMatchObject({
    status: 200,
    body: { message: 'acknowledged', verified: true, emailID: body.id, expireAt: null },
  })
  expect(await userOf(await loggedIn(address.toUpperCase()))).toBe(await userOf(ada.headers))
  // The same for a registration: whoever reads the mail is the user who is there.
  const opened = (await area.register(address)).body as Opened
  await area.verify(opened.verificationCodeID, area.mail.codeFor(address))
  expect(await userOf(bearer(opened.bearer))).toBe(await userOf(ada.headers))
})

test('the preferred address is told of an address that is added, preferred or removed', async () => {
  const ada = await area.member()
  const told = () => area.mail.mails.filter(({ to }) => to === ada.email).map(({ subject }) => subject)
  const more = await second(ada.headers)
  expect(told().at(-1)).toBe('An address was added to your Harrier account')
  const third = await second(ada.headers)
  expect((await remove(ada.headers, third.id)).status).toBe(204)
  expect(told().at(-1)).toBe('An address was removed from your Harrier account')
  expect((await prefer(ada.headers, more.id)).status).toBe(200)
  expect(told().at(-1)).toBe('The preferred address of your Harrier account has changed')
  const shown = await list(ada.headers)
  expect(shown.filter(({ preferred }) => preferred)).toMatchObject([{ address: more.address }])
  const { email } = (await area.call('GET', '/auth/v2/user', { headers: ada.headers })).body
  expect(email).toBe(more.address)
})

test('an address of somebody else is answered alike, and no code leads to it', async () => {
  const [ada, eve] = [await area.member(), await area.member()]
  const free = newEmail()
  const before = area.mail.mails.filter(({ to }) => to === ada.email).length
  const answers = [await add(eve.headers, ada.email), await add(eve.headers, free)]
  expect(answers.map(({ status, body }) => [status, Object.keys(body)])).toEqual([
    [201, ['message', 'id', 'verificationCodeID']],
    [201, ['message', 'id', 'verificationCodeID']],
  ])
  expect((await list(eve.headers)).map(({ verified }) => verified)).toEqual([true, false, false])
  expect(area.mail.mails.filter(({ to }) => to === ada.email)).toHaveLength(before)
  expect(await userOf(await loggedIn(ada.email))).toBe(await userOf(ada.headers))
})

test('of two users with one address, the first whose code comes has it', async () => {
  const [ada, eve] = [await area.member(), await area.member()]
  const address = newEmail()
  const first = (await add(ada.headers, address)).body
  const adasCode = area.mail.codeFor(address)
  const other = (await add(eve.headers, address)).body
  const evesCode = area.mail.codeFor(address)
  expect((await verify(other.verificationCodeID, evesCode)).status).toBe(200)
  expect((await verify(first.verificationCodeID, adasCode)).status).toBe(400)
  expect(await userOf(await loggedIn(address))).toBe(await userOf(eve.headers))
})

test('a removed address opens no session, not even by a code that is on its way', async () => {
  const ada = await area.member()
  const { id, address } = await second(ada.headers)
  const opened = (await area.logIn(address)).body as Opened
  expect((await remove(ada.headers, id)).status).toBe(204)
  expect((await area.verify(opened.verificationCodeID, area.mail.codeFor(address))).status).toBe(400)
  expect((await remove(ada.headers, id)).status).toBe(404)
})

test('a code for a key pair is worth nothing once the address that it went to is removed', async () => {
  const ada = await area.member()
  const [first] = await list(ada.headers)
  const headers = await keyPair(ada.headers)
  const { body } = await area.call('POST', '/auth/v2/keypair', { headers, body: { name: 'another', days: 1 } })
  const code = area.mail.codeFor(ada.email)
  const { id } = await second(ada.headers)
  await prefer(ada.headers, id)
  expect((await remove(ada.headers, first!.id)).status).toBe(204)
  expect((await verify(body.verificationCodeID, code)).status).toBe(400)
})

test('the preferred address stays, and one that is not verified is not preferred', async () => {
  const ada = await area.member()
  const [first] = await list(ada.headers)
  expect((await remove(ada.headers, first!.id)).status).toBe(409)
  const { body } = await add(ada.headers, newEmail())
  expect((await prefer(ada.headers, body.id as string)).status).toBe(409)
  expect((await remove(ada.headers, body.id as string)).status).toBe(204)
})

test('a key pair reads addresses and changes none: a stolen one opens no sessions', async () => {
  const ada = await area.member()
  const { id } = await second(ada.headers)
  const key = await keyPair(ada.headers)
  expect(await list(key)).toHaveLength(2)
  expect((await add(key, newEmail())).status).toBe(403)
  expect((await prefer(key, id)).status).toBe(403)
  expect((await remove(key, id)).status).toBe(403)
})

test("another user's address is as good as none", async () => {
  const [ada, eve] = [await area.member(), await area.member()]
  const { id } = await second(ada.headers)
  expect((await prefer(eve.headers, id)).status).toBe(404)
  expect((await remove(eve.headers, id)).status).toBe(404)
  expect((await remove(eve.headers, randomUUID())).status).toBe(404)
  expect(await list(ada.headers)).toHaveLength(2)
})

test('a user has at most ten addresses, and an own one twice is a conflict', async () => {
  const ada = await area.member()
  expect((await add(ada.headers, ada.email.toUpperCase())).status).toBe(409)
  for (let i = 0; i < 9; i++) expect((await add(ada.headers, newEmail())).status).toBe(201)
  expect((await add(ada.headers, newEmail())).status).toBe(409)
})

test('a code that came too late verifies nothing', async () => {
  const ada = await area.member()
  const address = newEmail()
  const { body } = await add(ada.headers, address)
  area.clock.now += 10 * MINUTE + 1
  expect((await verify(body.verificationCodeID, area.mail.codeFor(address))).status).toBe(400)
  expect(await list(ada.headers)).toMatchObject([{ verified: true }, { verified: false }])
})

test('the addresses of a deleted user are gone and free for others', async () => {
  const ada = await area.member()
  const { address } = await second(ada.headers)
  await userOffboarding(area.db, append).deleteUser((await userOf(ada.headers)) as string, cause())
  expect(await area.dump()).not.toContain(address)
  const eve = await area.member()
  await second(eve.headers, address)
})

test('an administrator adds, verifies, prefers and removes addresses of any user', async () => {
  const ada = await area.member()
  const userID = await userOf(ada.headers)
  const as = (method: string, path: string, body?: unknown) =>
    area.call(method, `/auth/v2/admin/${path}`, { headers: asAdmin, body })
  const address = newEmail()
  const added = await as('POST', `user/${userID}/email`, { address, verified: false })
  expect(added).toMatchObject({ status: 201, body: { address, verified: false, preferred: false } })
  const { id } = added.body
  expect((await as('PUT', 'email/preferred', { emailID: id })).status).toBe(409)
  expect((await as('PUT', `email/${id}/verify`)).status).toBe(204)
  expect((await as('PUT', 'email/preferred', { emailID: id })).status).toBe(200)
  expect((await as('DELETE', `email/${id}`)).status).toBe(409)
  expect((await as('GET', `user/${userID}`)).body).toMatchObject({
    id: userID,
    email: address,
    enabled: true,
    verified: false,
    emails: [
      { address, preferred: true },
      { address: ada.email, preferred: false },
    ],
  })
  const eve = await area.member()
  expect((await as('POST', `user/${await userOf(eve.headers)}/email`, { address })).status).toBe(409)
  const { body: waiting } = await add(eve.headers, address)
  expect((await as('PUT', `email/${waiting.id}/verify`)).status).toBe(409)
  for (const [method, path, body] of [
    ['POST', `user/${randomUUID()}/email`, { address: newEmail() }],
    ['PUT', `email/${randomUUID()}/verify`],
    ['DELETE', `email/${randomUUID()}`],
    ['PUT', 'email/preferred', { emailID: randomUUID() }],
  ] as const)
    expect([path, (await as(method, path, body)).status]).toEqual([path, 404])
})
