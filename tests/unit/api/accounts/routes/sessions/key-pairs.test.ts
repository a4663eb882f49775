import { expect, test } from 'vitest'
import { asAdmin } from '../../../../../builders/api/api.ts'
import { DAY, MINUTE, sessionArea } from '../../../../../builders/api/session-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

type Headers = Record<string, string>
type Made = { apiKey: string; apiSecret: string; keyID: string; verificationCodeID: string | null }

const KEYPAIR = '/auth/v2/keypair'
const seconds = (ms: number) => Math.floor(ms / 1000)
const make = (headers: Headers, body: object = { name: 'laptop', days: 30 }) =>
  area.call('POST', KEYPAIR, { headers, body })
const pairOf = ({ apiKey, apiSecret }: Made) => ({ 'api-key': apiKey, 'api-secret': apiSecret })
const own = (headers: Headers) => area.call('GET', KEYPAIR, { headers })
const list = async (headers: Headers) =>
  (await area.call('GET', '/auth/v2/keypairs', { headers })).body.keys as Record<string, unknown>[]

test('a session makes a key pair that is good at once, for its days', async () => {
  const ada = await area.member()
  const { status, body } = await make(ada.headers)
  expect(status).toBe(201)
  const expireAt = seconds(area.clock.now + 30 * DAY)
  const whole = { scopes: null, groups: null, networks: null }
  expect(body).toEqual({
    apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    apiSecret: expect.stringMatching(/^[\w-]{43}$/),
    keyID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    keyName: 'laptop',
    expireAt,
    ...whole,
    verified: true,
    verificationCodeID: null,
  })
  const made = body as Made
  const record = {
    keyID: made.keyID,
    keyName: 'laptop',
    apiKey: made.apiKey,
    verified: true,
    createdAt: seconds(area.clock.now),
    expireAt,
    ...whole,
    previousSecretUntil: null,
  }
  const rights = { roles: ['user'], groups: ['public'] }
  expect(await own(pairOf(made))).toMatchObject({ status: 200, body: { ...record, ...rights } })
  expect(await list(ada.headers)).toEqual([record])
  area.clock.now += 30 * DAY
  expect((await own(pairOf(made))).status).toBe(401)
})

test('a key pair makes one that waits for the code in the mail', async () => {
  const ada = await area.member()
  const first = (await make(ada.headers)).body as Made
  const { status, body } = await make(pairOf(first), { name: 'server', days: 1 })
  expect(status).toBe(201)
  expect(body).toMatchObject({ verified: false, verificationCodeID: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  const second = body as Made
  expect((await own(pairOf(second))).status).toBe(401)
  expect((await list(ada.headers)).map(({ verified }) => verified).sort()).toEqual([false, true])

  const verified = await area.verify(second.verificationCodeID, area.mail.codeFor(ada.email))
  const expireAt = seconds(area.clock.now + DAY)
  expect(verified).toMatchObject({ status: 200, body: { verified: true, keyID: second.keyID, expireAt } })
  expect((await own(pairOf(second))).body.keyID).toBe(second.keyID)
})

test('a key pair whose code never came is gone', async () => {
  const ada = await area.member()
  const first = (await make(ada.headers)).body as Made
  await make(pairOf(first))
  area.clock.now += 10 * MINUTE + 1
  await make(pairOf(first))
  expect(await list(ada.headers)).toHaveLength(2)
})

test('a key pair is deleted by its user alone, and is good for nothing from then on', async () => {
  const [ada, eve] = [await area.member(), await area.member()]
  const made = (await make(ada.headers)).body as Made
  const path = `${KEYPAIR}/${made.keyID}`
  expect((await own(pairOf(made))).status).toBe(200)
  expect((await area.call('DELETE', path, { headers: eve.headers })).status).toBe(404)
  expect(await list(eve.headers)).toEqual([])
  expect((await area.call('DELETE', path, { headers: ada.headers })).status).toBe(204)
  expect((await own(pairOf(made))).status).toBe(401)
  expect((await area.call('DELETE', path, { headers: ada.headers })).status).toBe(404)
})

test('a session is asked about by sessions, a key pair by key pairs', async () => {
  const ada = await area.member()
  const pair = pairOf((await make(ada.headers)).body as Made)
  expect((await own(ada.headers)).status).toBe(404)
  for (const [method, path] of [
    ['GET', '/auth/v2/session'],
    ['DELETE', '/auth/v2/session'],
    ['PUT', '/auth/v2/session/extend'],
  ] as const)
    expect((await area.call(method, path, { headers: pair })).status).toBe(404)
})

test('the administrator of the configuration has neither', async () => {
  expect((await make(asAdmin)).status).toBe(404)
  expect((await own(asAdmin)).status).toBe(404)
  expect(await list(asAdmin)).toEqual([])
})

test('a hundred key pairs are enough for anybody, even when asked for at once', async () => {
  const ada = await area.member()
  const statuses = []
  for (let i = 0; i < 11; i++)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, () => make(ada.headers))))
      statuses.push(status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(100)
  expect(statuses.filter((status) => status === 409)).toHaveLength(10)
})

test('no secret of a key pair is in the database', async () => {
  const ada = await area.member()
  const made = (await make(ada.headers)).body as Made
  const dump = await area.dump()
  expect(dump).toContain(made.apiKey)
  expect(dump).not.toContain(made.apiSecret)
  expect(dump).not.toContain(Buffer.from(made.apiSecret).toString('hex'))
})

test('a key needs a name and between 1 and 3650 days', async () => {
  const { headers } = await area.member()
  for (const [body, param] of [
    [{ days: 1 }, 'name'],
    [{ name: 'x' }, 'days'],
    [{ name: 'x', days: 0 }, 'days'],
    [{ name: 'x', days: 3651 }, 'days'],
    [{ name: 'x', days: 1, verified: true }, 'verified'],
  ] as const)
    expect(await make(headers, body)).toMatchObject({ status: 400, body: { error: { param } } })
})
