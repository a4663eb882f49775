/** An address that an issuer named and never verified, and the person who reads its mail (ADR 276). */

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { kyselySignOn } from '../../../../../connectors/postgres/accounts/sessions/sign-on-store.ts'
import { secretHash } from '../../../../../schemas/accounts/credentials.ts'
import { bearer, newEmail, type Opened, sessionArea } from '../../../../builders/api/session-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(sessionArea)

/** Somebody signs in through an issuer which says that this is the address; a session and a key pair of its account. */
async function signOn(email: string, isAssumed: boolean, subject: string = randomUUID()) {
  const store = kyselySignOn(area.db, (write) => write())
  const token = randomUUID()
  const signedIn = await store.signIn({
    person: {
      issuer: 'https://issuer.example',
      subject,
      sid: null,
      email,
      isAssumed,
      noEmail: null,
      fullName: '',
      alias: '',
    },
    rights: { roles: ['trusted'], groups: ['research'], membership: null },
    session: { id: randomUUID(), tokenHash: secretHash(token), kind: 'sign-on' },
    userId: randomUUID(),
    membershipId: randomUUID(),
    now: area.clock.now,
    endsAt: area.clock.now + 60_000_000,
  })
  if ('refused' in signedIn) return signedIn.refused
  const headers = bearer(token)
  const { body } = await area.call('POST', '/auth/v2/keypair', { headers, body: { name: 'k', days: 30 } })
  const keys = { 'api-key': String(body.apiKey), 'api-secret': String(body.apiSecret) }
  return { headers, keys, userId: signedIn.userId }
}

const callerOf = async (headers: Record<string, string>) => {
  const { status, body } = await area.call('GET', '/auth/v2/user', { headers })
  return status === 200 ? { userID: body.userID, roles: body.roles } : status
}

async function byMail(email: string, begin = area.logIn) {
  const opened = (await begin(email)).body as Opened
  expect((await area.verify(opened.verificationCodeID, area.mail.codeFor(email))).status).toBe(200)
  return bearer(opened.bearer)
}

test.each([
  ['signs in', 'logIn'],
  ['registers', 'register'],
] as const)('who reads the mail and %s has the account alone', async (_, begin) => {
  const email = newEmail()
  const subject = randomUUID()
  const squatter = await signOn(email, true, subject)
  if (typeof squatter === 'string') throw new Error(squatter)
  expect(await callerOf(squatter.headers)).toEqual({
    userID: squatter.userId,
    roles: expect.arrayContaining(['trusted']),
  })
  expect(await callerOf(squatter.keys)).toMatchObject({ userID: squatter.userId })
  const owner = await byMail(email.toUpperCase(), area[begin])
  expect(await callerOf(owner)).toEqual({ userID: squatter.userId, roles: ['user'] })
  expect([await callerOf(squatter.headers), await callerOf(squatter.keys)]).toEqual([401, 401])
  expect(await signOn(email, true, subject)).toBe('email of an account')
  // Proved once: from now on nothing ends.
  await byMail(email)
  expect(await callerOf(owner)).toMatchObject({ userID: squatter.userId })
})

test('an address that the issuer has verified stays with both ways in', async () => {
  const email = newEmail()
  const person = await signOn(email, false)
  if (typeof person === 'string') throw new Error(person)
  const mailed = await byMail(email)
  expect(await callerOf(mailed)).toMatchObject({ userID: person.userId })
  expect([await callerOf(person.headers), await callerOf(person.keys)]).toEqual([
    expect.objectContaining({ userID: person.userId }),
    expect.objectContaining({ userID: person.userId }),
  ])
})
