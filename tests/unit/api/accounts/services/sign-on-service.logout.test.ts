/** Back-channel logout: sessions end when the issuer says so, keys stay, and nobody else can say it. */

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { signOnArea } from '../../../../builders/accounts/sign-on/area.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(signOnArea)

beforeEach(() => {
  const sub = randomUUID()
  area.issuer.person = { sub, sid: `sid-${sub}`, email: `${sub}@example.com`, email_verified: true }
  area.issuer.spoilt = {}
})

const signIn = async (): Promise<string> => (await area.browser().signIn()).told.bearer!
const works = async (bearer: string) => (await area.call('GET', '/auth/v2/user', bearer)).status === 200

test('a session ends, and a key pair of the same user stays', async () => {
  const bearer = await signIn()
  const made = await fetch(`${area.api.url}/auth/v2/keypair`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'laptop', days: 1 }),
  })
  const { apiKey, apiSecret } = (await made.json()) as Record<string, string>
  const { status, headers } = await area.logOut(await area.issuer.logoutToken())
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(await works(bearer)).toBe(false)
  const byKey = await fetch(`${area.api.url}/auth/v2/user`, {
    headers: { 'api-key': apiKey!, 'api-secret': apiSecret! },
  })
  expect(byKey.status).toBe(200)
})

test('a token with a session ends that one alone, one with a subject all of the subject', async () => {
  const one = await signIn()
  area.issuer.person = { ...area.issuer.person, sid: 'another session' }
  const two = await signIn()
  await area.logOut(await area.issuer.logoutToken())
  expect([await works(one), await works(two)]).toEqual([true, false])
  await area.logOut(await area.issuer.logoutToken({ sid: undefined }))
  expect(await works(one)).toBe(false)
})

test('the sessions of another person stay', async () => {
  const other = await signIn()
  const sub = randomUUID()
  area.issuer.person = { ...area.issuer.person, sub, email: `${sub}@example.com` }
  const own = await signIn()
  // The same session id: the subject counts as well.
  await area.logOut(await area.issuer.logoutToken())
  expect([await works(other), await works(own)]).toEqual([true, false])
})

describe('a logout token ends nothing', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const SPOILT: Record<string, [why: RegExp, () => Promise<string>]> = {
    'without a signature': [/"alg"/, () => area.issuer.logoutToken({}, 'none')],
    'signed with a key that the issuer does not publish': [/signature/, () => area.issuer.logoutToken({}, 'stranger')],
    'signed with the secret of the client': [/"alg"/, () => area.issuer.logoutToken({}, 'secret')],
    'without events': [/"events"/, () => area.issuer.logoutToken({ events: undefined })],
    'with another event': [
      /describe a logout/,
      () => area.issuer.logoutToken({ events: { 'http://schemas.openid.net/event/other': {} } }),
    ],
    'with a nonce': [/a nonce/, () => area.issuer.logoutToken({ nonce: 'a' })],
    'for another client': [/"aud"/, () => area.issuer.logoutToken({ aud: 'another' })],
    'of another issuer': [/"iss"/, () => area.issuer.logoutToken({ iss: 'https://login.example.net' })],
    'made in the future': [/"iat"/, () => area.issuer.logoutToken({ iat: now() + 600, exp: now() + 900 })],
    'made long ago': [/"iat"/, () => area.issuer.logoutToken({ iat: now() - 3_600, exp: now() + 900 })],
    'that has expired': [/"exp"/, () => area.issuer.logoutToken({ iat: now() - 200, exp: now() - 100 })],
    'without an id': [/"jti"/, () => area.issuer.logoutToken({ jti: undefined })],
    'without a subject and a session': [/neither/, () => area.issuer.logoutToken({ sub: undefined, sid: undefined })],
    'that is an access token': [/another kind/, () => area.issuer.logoutToken({}, undefined, 'at+jwt')],
    'that is no token': [/Compact JWS/, async () => 'abc'],
  }
  for (const [name, [why, token]] of Object.entries(SPOILT)) {
    test(name, async () => {
      const bearer = await signIn()
      expect((await area.logOut(await token())).status).toBe(400)
      expect(area.faults.at(-1)).toMatch(why)
      expect(await works(bearer)).toBe(true)
    })
  }

  test('when it comes again', async () => {
    const token = await area.issuer.logoutToken()
    expect((await area.logOut(token)).status).toBe(200)
    const bearer = await signIn()
    expect((await area.logOut(token)).status).toBe(400)
    expect(await works(bearer)).toBe(true)
  })
})

test('a body that is not the form is refused', async () => {
  const send = (type: string, body: string) =>
    fetch(`${area.api.url}/auth/v2/oidc/backchannel-logout`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
  const form = 'application/x-www-form-urlencoded'
  expect((await send('application/json', '{"logout_token":"a"}')).status).toBe(415)
  expect((await send(form, 'other=a')).status).toBe(400)
  expect((await send(form, 'logout_token=a&logout_token=b')).status).toBe(400)
  expect((await send(form, `logout_token=${'a'.repeat(70_000)}`)).status).toBe(413)
})

test('tokens with keys that are not known make nobody ask the issuer for each', async () => {
  const { issuer, logOut, close } = await signOnArea()
  issuer.person = { sub: randomUUID() }
  const began = performance.now()
  for (let n = 0; n < 20; n++) {
    // Neither the key that signs nor the one that is published was ever read.
    await issuer.changeKey()
    const token = await issuer.logoutToken()
    await issuer.changeKey()
    expect((await logOut(token)).status).toBe(400)
  }
  const pauses = (performance.now() - began) / 5_000
  expect(issuer.keyReads).toBeGreaterThan(0)
  expect(issuer.keyReads).toBeLessThanOrEqual(Math.ceil(pauses) + 1)
  await close()
})
