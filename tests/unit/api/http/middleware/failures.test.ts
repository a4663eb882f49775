import { expect, test } from 'vitest'
import { identification } from '../../../../../api/http/middleware/identity.ts'
import type { Accounts } from '../../../../../connectors/postgres/accounts/users/port.ts'
import { secretHash } from '../../../../../schemas/accounts/credentials.ts'
import { ADMIN, noAccounts } from '../../../../builders/api/api.ts'

const identity = {
  userId: 'ada',
  roles: [],
  ownGroups: [],
  groups: [],
  customerId: null,
  chargedCustomerId: null,
  disabled: false,
  builtIn: false,
  bounds: null,
  by: null,
}
const accounts: Accounts = {
  ...noAccounts,
  keyPairCredential: async (key) =>
    key === 'known'
      ? { secretHash: secretHash('right'), previous: null, expiresAt: null, verified: true, identity }
      : null,
}

function caller() {
  const clock = { now: 1_800_000_000_000 }
  const identify = identification(accounts, ADMIN, () => clock.now)
  const status = (key: string, secret: string, ip = '192.0.2.7'): Promise<number> =>
    identify({ 'api-key': key, 'api-secret': secret }, ip).then(
      () => 200,
      (error: { status: number }) => error.status,
    )
  const refusal = (key: string, secret: string) => identify({ 'api-key': key, 'api-secret': secret }, '192.0.2.7')
  return { clock, status, refusal }
}

test('guesses of a secret end in a 429 for a minute, whether there is such a key or not', async () => {
  for (const [key, secret] of [
    ['known', 'right'],
    ['nobody', 'right'],
    [ADMIN.key, ADMIN.secret],
  ] as const) {
    const { clock, status } = caller()
    for (let i = 0; i < 300; i++) expect(await status(key, 'wrong')).toBe(401)
    expect(await status(key, 'wrong')).toBe(429)
    expect(await status(key, secret)).toBe(429)
    clock.now += 60_000
    expect(await status(key, secret)).toBe(key === 'nobody' ? 401 : 200)
  }
})

test('the refusal says in how many seconds the key may be tried again', async () => {
  const { clock, status, refusal } = caller()
  for (let i = 0; i < 300; i++) await status('known', 'wrong')
  clock.now += 20_500
  await expect(refusal('known', 'right')).rejects.toMatchObject({ status: 429, retryAfter: 40 })
})

test('other addresses and other keys go on, and right secrets count for nothing', async () => {
  const { status } = caller()
  for (let i = 0; i < 301; i++) await status('known', 'wrong')
  expect(await status('known', 'right')).toBe(429)
  expect(await status('known', 'right', '192.0.2.8')).toBe(200)
  expect(await status(ADMIN.key, ADMIN.secret)).toBe(200)
  for (let i = 0; i < 400; i++) expect(await status(ADMIN.key, ADMIN.secret)).toBe(200)
})

test('ten thousand names are remembered, and the one looked up least recently is forgotten', async () => {
  const { status } = caller()
  for (let i = 0; i < 300; i++) await status('known', 'wrong')
  for (let i = 0; i < 9_999; i++) await status(`guess ${i}`, 'x')
  expect(await status('known', 'right')).toBe(429)
  await status('one more', 'x')
  expect(await status('known', 'right')).toBe(429)
  for (let i = 0; i < 10_000; i++) await status(`other ${i}`, 'x')
  expect(await status('known', 'right')).toBe(200)
})
