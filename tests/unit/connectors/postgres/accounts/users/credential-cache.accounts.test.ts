import { expect, test } from 'vitest'
import { cachedAccounts } from '../../../../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Accounts, Credential } from '../../../../../../connectors/postgres/accounts/users/port.ts'
import { noAccounts } from '../../../../../builders/api/api.ts'
import { cause } from '../../../../../builders/lifecycle/events.ts'

/** Accounts that count how often they are asked, and whose groups can be changed behind the cache's back. */
function counted() {
  const state = { asked: 0, groups: ['red'], now: 0 }
  const credential = (): Credential => ({
    secretHash: Buffer.alloc(32),
    previous: null,
    expiresAt: null,
    verified: true,
    identity: {
      userId: 'ada',
      roles: [],
      ownGroups: state.groups,
      groups: state.groups,
      customerId: null,
      chargedCustomerId: null,
      disabled: false,
      builtIn: false,
      bounds: null,
      by: null,
    },
  })
  const store: Accounts = {
    ...noAccounts,
    keyPairCredential: async (key) => {
      state.asked++
      return key === 'known' ? credential() : null
    },
  }
  return { state, store, accounts: cachedAccounts(store, () => state.now) }
}

const groupsOf = async (accounts: Accounts) => (await accounts.keyPairCredential('known'))?.identity.groups

test('a credential is asked for once in a second', async () => {
  const { state, accounts } = counted()
  await groupsOf(accounts)
  state.groups = ['blue']
  state.now = 999
  expect(await groupsOf(accounts)).toEqual(['red'])
  state.now = 1000
  expect(await groupsOf(accounts)).toEqual(['blue'])
  expect(state.asked).toBe(2)
})

test('a change through this process acts at once', async () => {
  const { state, accounts } = counted()
  await groupsOf(accounts)
  state.groups = ['blue']
  await accounts.updateUser('ada', { groups: ['blue'] }, cause())
  expect(await groupsOf(accounts)).toEqual(['blue'])
})

test('an answer that was on its way during a change is not kept', async () => {
  const { state, store, accounts } = counted()
  const { promise, resolve } = Promise.withResolvers<void>()
  const ask = store.keyPairCredential
  store.keyPairCredential = async (key) => {
    const answer = await ask(key)
    await promise
    return answer
  }
  const early = groupsOf(accounts)
  state.groups = ['blue']
  await accounts.updateUser('ada', { groups: ['blue'] }, cause())
  resolve()
  expect(await early).toEqual(['red'])
  expect(await groupsOf(accounts)).toEqual(['blue'])
})

test('unknown keys are asked for every time', async () => {
  const { state, accounts } = counted()
  expect(await accounts.keyPairCredential('guess')).toBeNull()
  expect(await accounts.keyPairCredential('guess')).toBeNull()
  expect(state.asked).toBe(2)
})
