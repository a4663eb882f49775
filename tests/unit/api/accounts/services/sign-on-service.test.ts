import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { secretHash } from '../../../../../schemas/accounts/credentials.ts'
import { signOnArea } from '../../../../builders/accounts/sign-on/area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

const HOUR = 60 * 60 * 1000

const area = during(signOnArea)

let number = 0
beforeEach(() => {
  const email = `ada-${++number}@example.com`
  const nickname = 'ada'
  area.issuer.person = {
    sub: `ada-${number}`,
    sid: `sid-${number}`,
    email,
    email_verified: true,
    name: 'Ada',
    nickname,
  }
  area.issuer.spoilt = {}
  area.clock.ahead = 0
})

/** A session of the person, and its user. */
async function signedIn(browser = area.browser()) {
  const { told } = await browser.signIn()
  const { body, status } = await area.call('GET', '/auth/v2/user', told.bearer)
  expect(status).toBe(200)
  return { bearer: told.bearer!, user: body, browser }
}

/** A session of a user who never was at the issuer. */
async function session(email = `${randomUUID()}@example.com`) {
  const id = randomUUID()
  const now = Date.now()
  await area.accounts.createUser({
    id,
    email,
    fullName: '',
    alias: '',
    roles: ['user'],
    groups: ['public'],
    createdAt: now,
  })
  const bearer = randomUUID()
  const row = { id: randomUUID(), userId: id, tokenHash: secretHash(bearer), verified: true, kind: '', createdAt: now }
  await area.accounts.createSession({ ...row, expiresAt: now + HOUR })
  return { id, bearer, email }
}

test('a new person gets an account, and comes back to it whatever its address is by then', async () => {
  const first = await signedIn()
  expect(first.user).toMatchObject({ fullName: 'Ada', alias: 'ada', roles: ['user'], session: true })
  area.issuer.person = { ...area.issuer.person, email: 'changed@example.com', email_verified: false }
  const second = await signedIn()
  expect(second.user.userID).toBe(first.user.userID)
})

test('the session is told in the fragment alone, with what the tab called itself', async () => {
  const { page, told } = await area.browser().signIn('?tab=my-tab')
  expect(page).toBe('/sign-in')
  expect(told).toEqual({ 'sign-on': 'done', bearer: expect.stringMatching(/^[\w-]{43}$/), tab: 'my-tab' })
})

test('the cookie is for requests of this site alone, and no script reads it', async () => {
  const { headers } = await area.browser().go('GET', '/auth/v2/oidc/start')
  expect(headers.get('set-cookie')).toMatch(/^harrier-sign-on=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  const asked = new URL(headers.get('location')!).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: 'http://127.0.0.1/auth/v2/oidc/callback',
    scope: 'openid email profile',
  })
})

test('two tabs of a browser sign in beside each other', async () => {
  const browser = area.browser()
  const one = area.issuer.authorize(await browser.start())
  const two = area.issuer.authorize(await browser.start())
  expect((await browser.back(one)).told['sign-on']).toBe('done')
  expect((await browser.back(two)).told['sign-on']).toBe('done')
})

test('the database has neither the state nor what follows from it', async () => {
  const browser = area.browser()
  const { searchParams } = new URL(await browser.start())
  const rows = JSON.stringify(await area.db.selectFrom('sign_on_states').selectAll().execute())
  for (const secret of [searchParams.get('state')!, searchParams.get('nonce')!, browser.cookie()!.split('=')[1]!]) {
    expect(secret).toHaveLength(43)
    expect(rows).not.toContain(secret)
  }
})

test('a session ends after 12 hours, however often it is extended', async () => {
  const { bearer } = await signedIn()
  area.clock.ahead = 11 * HOUR
  const { status, body } = await area.call('PUT', '/auth/v2/session/extend', bearer)
  expect(status).toBe(200)
  expect(body.expireAt * 1000).toBeLessThanOrEqual(Date.now() + 12 * HOUR)
  area.clock.ahead = 12 * HOUR + 1_000
  expect((await area.call('GET', '/auth/v2/user', bearer)).status).toBe(401)
})

test('a disabled user gets no session', async () => {
  const { user } = await signedIn()
  await area.accounts.updateUser(user.userID, { disabled: true }, cause())
  expect((await area.browser().signIn()).told).toEqual({ 'sign-on': 'disabled' })
  expect(area.refusals.at(-1)).toEqual({ action: 'session.start', subject: 'disabled', userID: user.userID })
})

test('a user who is signed in links the person, which signs in to that account from then on', async () => {
  const { id, bearer } = await session(String(area.issuer.person.email))
  expect((await area.browser().signIn()).told).toEqual({ 'sign-on': 'email-of-an-account' })
  expect(await area.browser().link(bearer)).toMatchObject({ page: '/account', told: { 'sign-on': 'linked' } })
  expect((await area.call('GET', '/auth/v2/oidc/link', bearer)).body).toEqual({ linkedAt: expect.any(Number) })
  expect((await signedIn()).user.userID).toBe(id)
})

test('a link that another browser finishes links nothing', async () => {
  const { bearer } = await session()
  const attacker = area.browser()
  const { body } = await attacker.go('POST', '/auth/v2/oidc/link', bearer)
  const victim = area.browser()
  await victim.start()
  expect((await victim.back(area.issuer.authorize(body.url))).told).toEqual({ 'sign-on': 'expired' })
  expect((await area.call('GET', '/auth/v2/oidc/link', bearer)).body).toEqual({ linkedAt: null })
})

test('a person is of one account, and an account of one person', async () => {
  const { bearer: own } = await signedIn()
  const { bearer } = await session()
  expect((await area.browser().link(bearer)).told).toEqual({ 'sign-on': 'of-another-user' })
  expect((await area.call('POST', '/auth/v2/oidc/link', own)).status).toBe(409)
})

test('a link ends, and the address then opens nothing by itself', async () => {
  const { bearer } = await signedIn()
  expect((await area.call('DELETE', '/auth/v2/oidc/link', bearer)).status).toBe(204)
  expect((await area.call('DELETE', '/auth/v2/oidc/link', bearer)).status).toBe(404)
  expect((await area.browser().signIn()).told).toEqual({ 'sign-on': 'email-of-an-account' })
})

test('a key pair neither links nor unlinks', async () => {
  const { bearer } = await session()
  const made = await fetch(`${area.api.url}/auth/v2/keypair`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'laptop', days: 1 }),
  })
  const { apiKey, apiSecret } = (await made.json()) as Record<string, string>
  for (const method of ['POST', 'DELETE']) {
    const headers = { 'api-key': apiKey!, 'api-secret': apiSecret! }
    expect((await fetch(`${area.api.url}/auth/v2/oidc/link`, { method, headers })).status).toBe(403)
  }
})

test('an issuer that is down is told, asked again by the next sign-on, and then not for each', async () => {
  const fresh = await signOnArea()
  fresh.issuer.person = area.issuer.person
  fresh.issuer.isDown = true
  expect(await fresh.browser().start()).toBe('/sign-in#sign-on=unavailable')
  fresh.issuer.isDown = false
  expect((await fresh.browser().signIn()).told['sign-on']).toBe('done')
  expect((await fresh.browser().signIn()).told['sign-on']).toBe('done')
  expect(fresh.issuer.discoveries).toBe(1)
  await fresh.close()
})

test('an issuer may sign with another key at any time', async () => {
  const { user } = await signedIn()
  await area.issuer.changeKey()
  expect((await signedIn()).user.userID).toBe(user.userID)
})

test('two sign-ins of a new person at once make one account', async () => {
  const before = (await area.counted()).users
  const outcomes = await Promise.all([1, 2, 3].map(() => area.browser().signIn()))
  expect(outcomes.map(({ told }) => told['sign-on'])).toEqual(['done', 'done', 'done'])
  expect((await area.counted()).users).toBe(before + 1)
})

test('an issuer that the operator trusts lets people in whose address it does not call verified', async () => {
  const trusting = await signOnArea({ trustsEmail: true })
  try {
    trusting.issuer.person = { sub: 'e-1', email: 'ada@example.com', name: 'Ada' }
    const { told } = await trusting.browser().signIn()
    expect((await trusting.call('GET', '/auth/v2/user', told.bearer)).body).toMatchObject({ email: 'ada@example.com' })
    trusting.issuer.person = { sub: 'e-2', email: 'ada@example.com' }
    expect((await trusting.browser().signIn()).told).toEqual({ 'sign-on': 'email-of-an-account' })
  } finally {
    await trusting.close()
  }
})
