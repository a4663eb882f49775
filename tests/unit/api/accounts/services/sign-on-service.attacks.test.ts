/** Everything that a person, another issuer or a network in between may try: no session, and no account, is made of it. */

import { beforeEach, describe, expect, test } from 'vitest'
import { signOnArea } from '../../../../builders/accounts/sign-on/area.ts'
import type { Spoilt } from '../../../../builders/accounts/sign-on/faulty.ts'
import { receiver } from '../../../../builders/network/receiver.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(signOnArea)

let number = 0
beforeEach(() => {
  const email = `person-${++number}@example.com`
  area.issuer.person = { sub: `person-${number}`, sid: `sid-${number}`, email, email_verified: true, name: 'Ada' }
  area.issuer.spoilt = {}
  area.issuer.isDown = false
  area.clock.ahead = 0
})

/** Expects that `act` leads to the sign-in page with `reason` alone, and makes nothing. */
async function expectRefused(reason: string, act: () => Promise<{ page: string; told: object }>): Promise<void> {
  const before = await area.counted()
  const { page, told } = await act()
  expect({ page, told }).toEqual({ page: '/sign-in', told: { 'sign-on': reason } })
  expect(await area.counted()).toEqual(before)
}

const soon = () => Math.floor(Date.now() / 1000)

describe('an ID token is refused', () => {
  const SPOILT: Record<string, [why: RegExp, () => Spoilt]> = {
    'without a signature': [/"alg"/, () => ({ signature: 'none' })],
    'signed with a key that the issuer does not publish': [/signature verification/, () => ({ signature: 'stranger' })],
    'signed with the secret of the client': [/"alg"/, () => ({ signature: 'secret' })],
    'without a nonce': [/"nonce".* missing/, () => ({ idToken: { nonce: undefined } })],
    'with the nonce of another sign-on': [/"nonce" claim value/, () => ({ idToken: { nonce: 'another' } })],
    'for another client': [/"aud"/, () => ({ idToken: { aud: 'another' } })],
    'for another client beside this one': [
      /the audience/,
      () => ({ idToken: { aud: ['harrier', 'another'], azp: 'harrier' } }),
    ],
    'given to another party': [/the authorized party/, () => ({ idToken: { azp: 'another' } })],
    'of another issuer': [/"iss"/, () => ({ idToken: { iss: 'https://login.example.net' } })],
    'that has expired': [/"exp".* past/, () => ({ idToken: { iat: soon() - 600, exp: soon() - 300 } })],
    'that never expires': [/"exp".* missing/, () => ({ idToken: { exp: undefined } })],
    'made in the future': [/in the future/, () => ({ idToken: { iat: soon() + 600, exp: soon() + 900 } })],
    'without a subject': [/"sub".* missing/, () => ({ idToken: { sub: undefined } })],
    'with a subject that is longer than any': [
      /the subject is not usable/,
      () => ({ idToken: { sub: 'x'.repeat(256) } }),
    ],
  }
  for (const [name, [why, spoilt]] of Object.entries(SPOILT)) {
    test(name, async () => {
      area.issuer.spoilt = spoilt()
      await expectRefused('refused', () => area.browser().signIn())
      expect(area.faults.at(-1)).toMatch(why)
    })
  }
})

describe('a browser that comes back is refused', () => {
  test('with the address of another issuer beside the code', async () => {
    area.issuer.spoilt = { answer: { iss: 'https://login.example.net' } }
    await expectRefused('refused', () => area.browser().signIn())
    expect(area.faults.at(-1)).toMatch(/"iss" .*response parameter value/)
  })

  test('without the address of an issuer that always says it', async () => {
    area.issuer.spoilt = { answer: { iss: undefined } }
    await expectRefused('refused', () => area.browser().signIn())
    expect(area.faults.at(-1)).toMatch(/"iss" .*missing/)
  })

  test('with a code that was used before', async () => {
    const first = area.browser()
    const answer = area.issuer.authorize(await first.start())
    expect((await first.back(answer)).told['sign-on']).toBe('done')
    const second = area.browser()
    const { state } = area.issuer.authorize(await second.start())
    await expectRefused('refused', () => second.back({ ...answer, state: state! }))
    expect(area.faults.at(-1)).toMatch(/invalid_grant/)
  })

  test('with a code that another browser got, whose verifier it does not have', async () => {
    const { code } = area.issuer.authorize(await area.browser().start())
    const thief = area.browser()
    const own = area.issuer.authorize(await thief.start())
    await expectRefused('refused', () => thief.back({ ...own, code: code! }))
    expect(area.faults.at(-1)).toMatch(/invalid_grant/)
  })

  test('with the state of another browser, which still works there', async () => {
    const victim = area.browser()
    const answer = area.issuer.authorize(await victim.start())
    const other = area.browser()
    await other.start()
    await expectRefused('expired', () => other.back(answer))
    await expectRefused('expired', () => area.browser().back(answer))
    expect((await victim.back(answer)).told['sign-on']).toBe('done')
  })

  test('with a state that was used before', async () => {
    const browser = area.browser()
    const answer = area.issuer.authorize(await browser.start())
    expect((await browser.back(answer)).told['sign-on']).toBe('done')
    await expectRefused('expired', () => browser.back(answer))
  })

  test('with a state of ten minutes ago', async () => {
    const browser = area.browser()
    const answer = area.issuer.authorize(await browser.start())
    area.clock.ahead = 10 * 60 * 1000
    await expectRefused('expired', () => browser.back(answer))
  })

  test('with a state that nobody began, or none', async () => {
    const browser = area.browser()
    const answer = area.issuer.authorize(await browser.start())
    await expectRefused('expired', () => browser.back({ ...answer, state: 'x'.repeat(43) }))
    await expectRefused('expired', () => browser.back({ code: answer.code! }))
  })

  test('with an error, of which nothing but its kind is told', async () => {
    const browser = area.browser()
    const { state, iss } = area.issuer.authorize(await browser.start())
    const error = { error: 'access_denied', error_description: '<script>', state: state!, iss: iss! }
    await expectRefused('denied', () => browser.back(error))
  })
})

describe('an answer of the issuer is refused', () => {
  test('that sends the platform elsewhere', async () => {
    let followed = false
    const elsewhere = await receiver((response) => {
      followed = true
      response.end()
    })
    area.issuer.spoilt = { token: (response) => response.writeHead(307, { location: elsewhere.url }).end() }
    await expectRefused('unavailable', () => area.browser().signIn())
    expect(followed).toBe(false)
    expect(area.faults.at(-1)).toMatch(/status code/)
    await elsewhere.close()
  })

  test('that is larger than any token', async () => {
    area.issuer.spoilt = {
      token: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(1024 * 1024)),
    }
    await expectRefused('unavailable', () => area.browser().signIn())
  })

  test('whose user info is of another person', async () => {
    area.issuer.spoilt = { userInfo: { sub: 'another' } }
    await expectRefused('refused', () => area.browser().signIn())
    expect(area.faults.at(-1)).toMatch(/"sub"/)
  })
})

describe('a new person gets no account', () => {
  test('with an address that was not verified, or none', async () => {
    area.issuer.spoilt = { userInfo: { email_verified: false } }
    await expectRefused('no-verified-email', () => area.browser().signIn())
    expect(area.faults.at(-1)).toContain('email_verified or xms_edov is not true; HARRIER_OIDC_TRUST_EMAIL')
    area.issuer.spoilt = { userInfo: { email_verified: undefined } }
    await expectRefused('no-verified-email', () => area.browser().signIn())
    expect(area.faults.at(-1)).toContain('email_verified (of Entra ID: xms_edov) is missing')
    expect(area.refusals.at(-1)).toEqual({ action: 'session.start', subject: 'no-verified-email', userID: null })
    area.issuer.spoilt = { userInfo: { email: undefined } }
    await expectRefused('no-email', () => area.browser().signIn())
    expect(area.faults.at(-1)).toMatch(/^there is no claim email; there are aud, email_verified, exp, iat/)
    expect(area.refusals.at(-1)).toMatchObject({ subject: 'no-email' })
  })

  test('with a verified address beside another one that was not', async () => {
    area.issuer.spoilt = { idToken: { email: 'victim@example.com' } }
    await expectRefused('no-verified-email', () => area.browser().signIn())
  })

  test('with the verified address of an account, in whatever case', async () => {
    await area.browser().signIn()
    const { email } = area.issuer.person
    area.issuer.person = { ...area.issuer.person, sub: 'another person', email: String(email).toUpperCase() }
    await expectRefused('email-of-an-account', () => area.browser().signIn())
  })
})

test('no address of another site is a place to go to', async () => {
  for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example', '/no-page', '/sign-in', 'search']) {
    const { page, told } = await area.browser().signIn(`?${new URLSearchParams({ to })}`)
    expect({ to, page, done: told['sign-on'] }).toEqual({ to, page: '/sign-in', done: 'done' })
  }
  const { page } = await area.browser().signIn(`?${new URLSearchParams({ to: '/search?q=a' })}`)
  expect(page).toBe('/sign-in?to=%2Fsearch%3Fq%3Da')
})

test('an address and all together have a bounded number of sign-ons under way', async () => {
  const state = { linkUserId: null, goesTo: '/', tab: '', createdAt: Date.now(), expiresAt: Date.now() + 60_000 }
  const open = (id: number, address: string) =>
    area.signOn.open(
      { ...state, stateHash: Buffer.from(`state ${id}`), browserHash: Buffer.from('browser'), address },
      { perAddress: 2, inAll: 1_000 },
    )
  expect([await open(1, 'a'), await open(2, 'a'), await open(3, 'a'), await open(4, 'b')]).toEqual([
    true,
    true,
    false,
    true,
  ])
})
