/** What every accounts adapter promises. */

import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, test as everywhere, expect } from 'vitest'
import { newKeyPair, newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { newCustomer, type People } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'

export function accountsContract(
  name: string,
  open: () => Promise<Pick<People, 'accounts' | 'team' | 'offboarding'>>,
  test: Test = everywhere,
): void {
  describe(name, () => {
    let accounts: People['accounts']
    let team: People['team']
    let offboarding: People['offboarding']
    beforeAll(async () => {
      ;({ accounts, team, offboarding } = await open())
    })
    afterAll(() => accounts?.close())

    test('a user reads back as it was stored', async () => {
      const user = newUser({
        roles: ['reporter', 'user'],
        groups: ['blue "team"', 'public', 'a,b'],
        fullName: 'Zoë {\\}',
      })
      expect(await accounts.createUser(user)).toBe(true)
      expect(await accounts.user(user.id)).toEqual({ ...user, roles: ['user', 'reporter'], disabled: false })
    })

    test('users are listed newest first, page by page, whole or by a part of email or alias', async () => {
      const mark = randomUUID().slice(0, 8)
      // Later than whatever another run has left in the database.
      const at = 2_000_000_000_000 + Date.now()
      const [old, young, twin, other] = [
        newUser({ email: `Old.${mark}@example.com`, createdAt: at }),
        newUser({ alias: `The ${mark.toUpperCase()}`, createdAt: at + 1 }),
        newUser({ email: `a%b_${mark}\\c@example.com`, createdAt: at + 1 }),
        newUser({ fullName: mark, createdAt: at + 2 }),
      ]
      for (const user of [twin, old, other, young]) await accounts.createUser(user)
      const listed = async (query: string | undefined, page = 1, limit = 10) => {
        const { items, users } = await accounts.users({ query, page, limit })
        return [items, ...users.map(({ id }) => id)]
      }
      const twins = [young.id, twin.id].sort().reverse()
      expect(await listed(mark)).toEqual([3, ...twins, old.id])
      expect(await listed(mark, 2, 2)).toEqual([3, old.id])
      expect(await listed(mark, 3, 2)).toEqual([3])
      expect(await listed(`OLD.${mark}`)).toEqual([1, old.id])
      expect(await listed(`b_${mark}\\C`)).toEqual([1, twin.id])
      for (const wild of [`%${mark}`, `l_.${mark}`, `${mark}%`, `${mark}\\@`, `'${mark}`])
        expect(await listed(wild)).toEqual([0])
      const [items, ...newest] = await listed(undefined, 1, 3)
      expect(newest).toEqual([other.id, ...twins])
      expect((await listed(undefined, 2, 3)).slice(0, 2)).toEqual([items, old.id])
      expect(await listed(undefined, 1_000_000, 100)).toEqual([items])
      const shown = await accounts.users({ query: `old.${mark}`, page: 1, limit: 1 })
      expect(shown.users).toEqual([{ ...old, disabled: false }])
    })

    test('an email belongs to one user, in whatever case', async () => {
      const user = newUser()
      await accounts.createUser(user)
      expect(await accounts.createUser(newUser({ email: user.email.toUpperCase() }))).toBe(false)
    })

    everywhere('of many that ask for one email at once, one gets it', async () => {
      const email = `${randomUUID()}@example.com`
      const answers = await Promise.all(Array.from({ length: 8 }, () => accounts.createUser(newUser({ email }))))
      expect(answers.filter(Boolean)).toHaveLength(1)
    })

    test('a change touches what it names', async () => {
      const user = newUser({ roles: ['reporter'] })
      await accounts.createUser(user)
      const changed = await accounts.updateUser(user.id, { groups: ['red'] }, cause())
      expect(changed).toEqual({ ...user, groups: ['red'], disabled: false })
      expect(await accounts.updateUser(user.id, { roles: [], disabled: true }, cause())).toEqual({
        ...user,
        roles: [],
        groups: ['red'],
        disabled: true,
      })
      expect(await accounts.updateUser(user.id, {}, cause())).toEqual(await accounts.user(user.id))
    })

    test('nobody has an unknown id', async () => {
      const id = randomUUID()
      expect(await accounts.user(id)).toBeNull()
      expect(await accounts.updateUser(id, { disabled: true }, cause())).toBeNull()
      expect(await offboarding.deleteUser(id, cause())).toBe(false)
      expect(await accounts.createKeyPair(newKeyPair(id))).toBe(false)
      expect(await accounts.keyPairCredential(randomUUID())).toBeNull()
      expect(await accounts.sessionCredential(Buffer.alloc(32))).toBeNull()
    })

    test('a key pair leads to its user, the hash of its secret and its end', async () => {
      const user = newUser({ roles: ['trusted'], groups: ['red'] })
      const pair = newKeyPair(user.id, { expiresAt: 1_800_000_000_123 })
      await accounts.createUser(user)
      expect(await accounts.createKeyPair(pair)).toBe(true)
      const credential = await accounts.keyPairCredential(pair.apiKey)
      expect(credential).toEqual({
        secretHash: pair.secretHash,
        previous: null,
        expiresAt: 1_800_000_000_123,
        verified: true,
        identity: {
          userId: user.id,
          roles: ['trusted'],
          ownGroups: ['red'],
          groups: ['public', 'red'],
          customerId: null,
          chargedCustomerId: null,
          disabled: false,
          builtIn: false,
          bounds: null,
          by: { kind: 'key pair', id: pair.id },
        },
      })
      expect(Buffer.isBuffer(credential?.secretHash)).toBe(true)
    })

    test('what is changed shows in the next identification', async () => {
      const user = newUser()
      const pair = newKeyPair(user.id)
      await accounts.createUser(user)
      await accounts.createKeyPair(pair)
      await accounts.updateUser(user.id, { groups: ['green'], disabled: true }, cause())
      const credential = await accounts.keyPairCredential(pair.apiKey)
      expect(credential?.identity).toMatchObject({ groups: ['green', 'public'], disabled: true })
    })

    test('a deleted user takes its keys along', async () => {
      const user = newUser()
      const pair = newKeyPair(user.id)
      await accounts.createUser(user)
      await accounts.createKeyPair(pair)
      expect(await offboarding.deleteUser(user.id, cause())).toBe(true)
      expect(await accounts.keyPairCredential(pair.apiKey)).toBeNull()
      expect(await offboarding.deleteUser(user.id, cause())).toBe(false)
    })

    test('a session leads to its user, verified or not', async () => {
      const user = newUser()
      const session = {
        id: randomUUID(),
        userId: user.id,
        tokenHash: createHash('sha256').update(randomUUID()).digest(),
        verified: false,
        kind: '',
        expiresAt: 1_800_000_000_123,
        createdAt: 1_700_000_000_000,
      }
      expect(await accounts.createSession(session)).toBe(false)
      await accounts.createUser(user)
      expect(await accounts.createSession(session)).toBe(true)
      const credential = await accounts.sessionCredential(session.tokenHash)
      expect(credential).toMatchObject({ verified: false, expiresAt: 1_800_000_000_123, identity: { userId: user.id } })
      await offboarding.deleteUser(user.id, cause())
      expect(await accounts.sessionCredential(session.tokenHash)).toBeNull()
    })

    test('the owner of a customer reads its group at once, and belongs to no second one', async () => {
      const user = newUser({ groups: ['red'] })
      const pair = newKeyPair(user.id)
      const customer = () => newCustomer(user.id)
      expect(await team.createCustomer(customer())).toBe('unknown_user')
      await accounts.createUser(user)
      await accounts.createKeyPair(pair)
      expect((await accounts.keyPairCredential(pair.apiKey))?.identity.customerId).toBeNull()
      const acme = customer()
      expect(await team.createCustomer(acme)).toBeNull()
      expect((await accounts.keyPairCredential(pair.apiKey))?.identity).toMatchObject({
        customerId: acme.id,
        ownGroups: [`customer-${acme.id}`, 'red'],
        groups: [`customer-${acme.id}`, 'public', 'red'],
      })
      expect(await team.createCustomer(customer())).toBe('already_member')
    })

    test('text that looks like SQL is text', async () => {
      const user = newUser({ fullName: `'; DROP TABLE users; --`, groups: [`x' OR '1'='1`] })
      await accounts.createUser(user)
      expect(await accounts.user(user.id)).toMatchObject({ fullName: user.fullName, groups: user.groups })
      expect(await accounts.keyPairCredential(`' OR true --`)).toBeNull()
    })

    everywhere('ping names the newest migration', async () => {
      expect(await accounts.ping()).toMatch(/^\d{4}-/)
    })
  })
}
