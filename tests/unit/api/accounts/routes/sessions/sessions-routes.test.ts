import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { bearer, DAY, MINUTE, newEmail, type Opened, sessionArea } from '../../../../../builders/api/session-area.ts'
import { cause } from '../../../../../builders/lifecycle/events.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

const seconds = (ms: number) => Math.floor(ms / 1000)
const me = (headers: Record<string, string>) => area.call('GET', '/auth/v2/session', { headers })

test('a user registers, verifies by mail, and is a user who reads public', async () => {
  const email = newEmail()
  const { status, body } = await area.register(email)
  expect(status).toBe(201)
  expect(body).toEqual({
    bearer: expect.stringMatching(/^[\w-]{43}$/),
    sessionID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    expireAt: seconds(area.clock.now + 10 * MINUTE),
    verificationCodeID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: '',
  })
  const opened = body as Opened
  // Subjects get into logs on the way.
  expect(area.mail.mails.at(-1)).toMatchObject({ to: email, subject: expect.stringMatching(/^\D+$/) })
  expect((await me(bearer(opened.bearer))).status).toBe(401)

  const verified = await area.verify(opened.verificationCodeID, area.mail.codeFor(email))
  const expireAt = seconds(area.clock.now + 30 * DAY)
  expect(verified).toMatchObject({ status: 200, body: { verified: true, sessionID: opened.sessionID, expireAt } })
  const { body: session } = await me(bearer(opened.bearer))
  const createdAt = seconds(area.clock.now)
  const { userID, ...rest } = session
  expect(rest).toEqual({
    sessionID: opened.sessionID,
    kind: '',
    verified: true,
    createdAt,
    expireAt,
    current: true,
    fullName: 'Ada Lovelace',
    alias: 'ada',
    roles: ['user'],
    groups: ['public'],
  })
  expect(await area.accounts.user(userID as string)).toMatchObject({
    email,
    fullName: 'Ada Lovelace',
    alias: 'ada',
    roles: ['user'],
    groups: ['public'],
    disabled: false,
  })
})

test('nobody is a user before the code came', async () => {
  const email = newEmail()
  await area.register(email)
  expect(await area.dump()).not.toMatch(new RegExp(`^users .*${email}`, 'm'))
})

test('a session opened for a known email keeps its kind and is the same user, in whatever case', async () => {
  const ada = await area.member()
  const other = (await area.logIn(ada.email.toUpperCase(), { kind: 'web' })).body as Opened
  await area.verify(other.verificationCodeID, area.mail.codeFor(ada.email.toUpperCase()))
  const { body } = await me(bearer(other.bearer))
  expect(body).toMatchObject({ kind: 'web', userID: (await me(ada.headers)).body.userID })
})

test('of several sessions, the one that the caller came with is marked', async () => {
  const ada = await area.member()
  const other = (await area.logIn(ada.email, { kind: 'web' })).body as Opened
  await area.verify(other.verificationCodeID, area.mail.codeFor(ada.email))
  const { body } = await area.call('GET', '/auth/v2/sessions', { headers: ada.headers })
  const current = (body.sessions as { sessionID: string; current: boolean }[]).filter((one) => one.current)
  expect(current.map(({ sessionID }) => sessionID)).toEqual([ada.sessionID])
  expect(body.sessions).toHaveLength(2)
})

test('every path is there under /api as well', async () => {
  const ada = await area.member()
  expect((await area.call('GET', '/api/auth/v2/session', { headers: ada.headers })).status).toBe(200)
})

test('an old bearer does not keep anybody from a new session', async () => {
  const headers = bearer('of-yesterday')
  const answer = await area.call('POST', '/auth/v2/session', { headers, body: { email: newEmail() } })
  expect(answer.status).toBe(201)
})

test('the same answer, after the same time, is given for a known and an unknown email', async () => {
  const { email: known } = await area.member()
  for (const [ask, writes] of [
    [area.logIn, false],
    [area.register, true],
  ] as const) {
    const unknown = newEmail()
    area.pauses.length = 0
    const { probes } = area.mail
    const mails = area.mail.mails.length
    const answers = [await ask(known), await ask(unknown)]
    const [a, b] = answers.map(({ status, body, headers }) => ({
      status,
      headers: [...headers.keys()],
      fields: Object.entries(body).map(([name, value]) => [name, typeof value, String(value).length]),
      expireAt: body.expireAt,
    }))
    expect(a).toEqual(b)
    expect(area.pauses).toEqual([500, 500])
    // One of each: what is not sent to the unknown one is at least tried.
    expect(area.mail.mails.slice(mails).map(({ to }) => to)).toEqual(writes ? [known, unknown] : [known])
    expect(area.mail.probes - probes).toBe(writes ? 0 : 1)
    for (const answer of answers) {
      const wrong = await area.verify(answer.body.verificationCodeID, '000000')
      expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'code' } } })
      expect((await me(bearer(answer.body.bearer as string))).status).toBe(401)
    }
  }
})

test('registering a known email leads into the account as it is', async () => {
  const ada = await area.member()
  const again = (await area.register(ada.email.toUpperCase(), { fullName: 'Mallory' })).body as Opened
  await area.verify(again.verificationCodeID, area.mail.codeFor(ada.email.toUpperCase()))
  const { body } = await me(bearer(again.bearer))
  expect(body.userID).toBe((await me(ada.headers)).body.userID)
  expect(await area.accounts.user(body.userID as string)).toMatchObject({ email: ada.email, fullName: 'Ada Lovelace' })
})

test('a disabled user is mailed nothing, and its sessions end at once', async () => {
  const ada = await area.member()
  const { userID } = (await me(ada.headers)).body
  await area.accounts.updateUser(userID as string, { disabled: true }, cause())
  expect((await me(ada.headers)).status).toBe(401)
  const mails = area.mail.mails.length
  expect((await area.logIn(ada.email)).status).toBe(201)
  expect(area.mail.mails).toHaveLength(mails)
})

test('a session ends after 30 days, and extending moves that', async () => {
  const ada = await area.member()
  area.clock.now += 20 * DAY
  const extended = await area.call('PUT', '/auth/v2/session/extend', { headers: ada.headers })
  const expireAt = seconds(area.clock.now + 30 * DAY)
  expect(extended).toMatchObject({ status: 200, body: { sessionID: ada.sessionID, expireAt } })
  area.clock.now += 30 * DAY - 1
  expect((await me(ada.headers)).body.expireAt).toBe(expireAt)
  area.clock.now += 1
  expect((await me(ada.headers)).status).toBe(401)
})

test("sessions are listed newest first, shown and ended one by one, and nobody else's", async () => {
  const ada = await area.member()
  area.clock.now += 1000
  const second = (await area.logIn(ada.email)).body as Opened
  await area.verify(second.verificationCodeID, area.mail.codeFor(ada.email))
  // One that is still waiting for its code is no session yet.
  await area.logIn(ada.email)
  const list = async () =>
    ((await area.call('GET', '/auth/v2/sessions', { headers: ada.headers })).body.sessions as Opened[]).map(
      ({ sessionID }) => sessionID,
    )
  expect(await list()).toEqual([second.sessionID, ada.sessionID])

  const eve = await area.member()
  const path = `/auth/v2/session/${second.sessionID}`
  for (const method of ['GET', 'DELETE'])
    expect((await area.call(method, path, { headers: eve.headers })).status).toBe(404)
  expect((await area.call('GET', path, { headers: ada.headers })).body.sessionID).toBe(second.sessionID)
  expect((await me(bearer(second.bearer))).status).toBe(200)
  expect((await area.call('DELETE', path, { headers: ada.headers })).status).toBe(204)
  expect((await me(bearer(second.bearer))).status).toBe(401)
  expect((await area.call('DELETE', path, { headers: ada.headers })).status).toBe(404)
  expect(await list()).toEqual([ada.sessionID])

  expect((await area.call('DELETE', '/auth/v2/session', { headers: ada.headers })).status).toBe(204)
  expect((await me(ada.headers)).status).toBe(401)
})

test('a hundred and first session ends the oldest', async () => {
  const ada = await area.member()
  const { userID } = (await me(ada.headers)).body
  const tokenHash = () => createHash('sha256').update(randomUUID()).digest()
  for (let i = 0; i < 100; i++) {
    const session = { id: randomUUID(), userId: userID as string, tokenHash: tokenHash(), verified: true, kind: '' }
    await area.accounts.createSession({ ...session, expiresAt: area.clock.now + DAY, createdAt: area.clock.now + 1 })
  }
  area.clock.now += 2
  const next = (await area.logIn(ada.email)).body as Opened
  await area.verify(next.verificationCodeID, area.mail.codeFor(ada.email))
  expect((await me(ada.headers)).status).toBe(401)
  const { body } = await area.call('GET', '/auth/v2/sessions', { headers: bearer(next.bearer) })
  expect(body.sessions).toHaveLength(100)
})

test('no secret is in the database: neither bearer, nor code, nor the id that goes with it', async () => {
  const ada = await area.member()
  const waiting = (await area.logIn(ada.email)).body as Opened
  const dump = await area.dump()
  expect(dump).toContain(ada.email)
  for (const secret of [ada.bearer, ada.verificationCodeID, waiting.bearer, waiting.verificationCodeID])
    for (const form of [secret, Buffer.from(secret).toString('hex'), secret.replaceAll('-', '')])
      expect(dump).not.toContain(form)
  const code = area.mail.codeFor(ada.email)
  const row = dump.split('\n').find((line) => line.startsWith('verification_codes') && line.includes(ada.email))
  expect(row).toBeDefined()
  for (const form of [code, createHash('sha256').update(code).digest('hex')]) {
    const text = dump.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*/g, '')
    if (form.length > 6) expect(text).not.toContain(form)
    else expect(text).not.toMatch(new RegExp(`[(,"]${form}[),"]`))
  }
})

test('what is over is purged when somebody comes by', async () => {
  const ada = await area.member()
  await area.logIn(ada.email)
  area.clock.now += 31 * DAY
  await area.logIn(newEmail())
  const dump = await area.dump()
  expect(dump).not.toContain(ada.sessionID)
  expect(dump).not.toMatch(new RegExp(`^verification_codes .*${ada.email}`, 'm'))
})

const email = 'ada@example.com'
const user = { email, fullName: 'Ada', alias: 'ada' }
const id = randomUUID()
const refusals: [string, string, unknown, string][] = [
  ['POST', '/auth/v2/user', { fullName: 'Ada', alias: 'ada' }, 'email'],
  ['POST', '/auth/v2/user', { email, alias: 'ada' }, 'fullName'],
  ['POST', '/auth/v2/user', { ...user, alias: 7 }, 'alias'],
  ['POST', '/auth/v2/user', { ...user, roles: ['auth_admin'] }, 'roles'],
  ['POST', '/auth/v2/user', { ...user, fullName: 'a\nb' }, 'fullName'],
  ['POST', '/auth/v2/session', { email: 'nobody' }, 'email'],
  ['POST', '/auth/v2/session', { email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
  ['POST', '/auth/v2/session', { email: '"a\r\nBcc: b@example.com"@example.com' }, 'email'],
  ['POST', '/auth/v2/session', { email: '"a, b"@example.com' }, 'email'],
  ['POST', '/auth/v2/session', { email: 'a@example.com,b@example.com' }, 'email'],
  ['POST', '/auth/v2/session', { email: `${'a'.repeat(250)}@b.cd` }, 'email'],
  ['POST', '/auth/v2/session', { email, kind: 'x'.repeat(51) }, 'kind'],
  ['POST', '/auth/v2/session', { email, password: 'x' }, 'password'],
  ['PUT', '/auth/v2/session/verification', { verificationCodeID: id }, 'code'],
  ['PUT', '/auth/v2/session/verification', { verificationCodeID: id, code: '12345' }, 'code'],
  ['PUT', '/auth/v2/session/verification', { verificationCodeID: id, code: '12345a' }, 'code'],
  ['PUT', '/auth/v2/session/verification', { verificationCodeID: 'x', code: '123456' }, 'verificationCodeID'],
]
for (const [method, path, body, param] of refusals)
  test(`${method} ${path} of ${JSON.stringify(body).slice(0, 90)} is a 400 that names ${param}`, async () => {
    expect(await area.call(method, path, { body })).toMatchObject({ status: 400, body: { error: { param } } })
  })
