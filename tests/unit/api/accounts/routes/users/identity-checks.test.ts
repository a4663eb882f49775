import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asAdmin } from '../../../../../builders/api/api.ts'
import { DAY, sessionArea } from '../../../../../builders/api/session-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

async function newcomer() {
  const { headers } = await area.member()
  const { userID } = (await area.call('GET', '/auth/v2/user', { headers })).body
  return {
    id: userID as string,
    status: async () => (await area.call('GET', '/auth/v2/verify/status', { headers })).body,
    ask: () => area.call('POST', '/auth/v2/verify', { headers }),
    decide: (word: string) => area.call('PUT', `/auth/v2/admin/user/${userID}/${word}`, { headers: asAdmin }),
  }
}

test('a user asks once, and an administrator decides', async () => {
  const ada = await newcomer()
  expect(await ada.status()).toEqual({ status: 'none', attempts: 0, maxAttempts: 3, expiresAt: null, attemptsLog: [] })
  const asked = await ada.ask()
  expect(asked).toMatchObject({
    status: 200,
    body: { status: 'pending', attempts: 1, expiresAt: new Date(area.clock.now + 7 * DAY).toISOString() },
  })
  // One that is open stays and costs nothing.
  expect((await ada.ask()).body.attempts).toBe(1)
  expect((await ada.decide('verify')).status).toBe(204)
  expect(await ada.status()).toMatchObject({ status: 'passed', expiresAt: null, attemptsLog: [{ status: 'passed' }] })
  expect((await ada.ask()).status).toBe(409)
  const path = `/auth/v2/admin/user/${ada.id}`
  expect((await area.call('GET', path, { headers: asAdmin })).body.verified).toBe(true)
  expect((await area.call('GET', `${path}/verification`, { headers: asAdmin })).body.status).toBe('passed')
})

test('three attempts are all until they are reset', async () => {
  const ada = await newcomer()
  for (let i = 0; i < 3; i++) {
    expect((await ada.ask()).status).toBe(200)
    await ada.decide('unverify')
  }
  expect(await ada.status()).toMatchObject({ status: 'failed', attempts: 3 })
  expect((await ada.ask()).status).toBe(409)
  expect((await ada.decide('verification/reset')).body).toMatchObject({ status: 'none', attempts: 0 })
  expect((await ada.ask()).status).toBe(200)
})

test('a check that nobody decides ends by itself and is asked for again', async () => {
  const ada = await newcomer()
  await ada.ask()
  area.clock.now += 7 * DAY
  expect(await ada.status()).toMatchObject({ status: 'expired', attempts: 1 })
  expect((await ada.ask()).body).toMatchObject({ status: 'pending', attempts: 2 })
})

test('what passed is taken back', async () => {
  const ada = await newcomer()
  expect((await ada.decide('verification/revoke')).status).toBe(409)
  await ada.decide('verify')
  expect((await ada.decide('verification/revoke')).body.status).toBe('revoked')
  expect((await ada.status()).status).toBe('revoked')
})

test('a user that is not there is a 404, and the administrator of the configuration has no account', async () => {
  for (const [method, word] of [
    ['GET', 'verification'],
    ['PUT', 'verify'],
    ['PUT', 'verification/reset'],
  ] as const) {
    const path = `/auth/v2/admin/user/${randomUUID()}/${word}`
    expect([word, (await area.call(method, path, { headers: asAdmin })).status]).toEqual([word, 404])
  }
  expect((await area.call('POST', '/auth/v2/verify', { headers: asAdmin })).status).toBe(404)
})
