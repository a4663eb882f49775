/** What every database of sessions promises of key pairs that are narrowed and rotated (decisions 16.1; ADR 227). */

import { createHash } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { identification } from '../../../api/http/middleware/identity.ts'
import type { SessionStore } from '../../../connectors/postgres/accounts/sessions/port.ts'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { cachedAccounts } from '../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Accounts, KeyPair } from '../../../connectors/postgres/accounts/users/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { UNBOUNDED } from '../../../schemas/accounts/key-bounds.ts'
import { newKeyPair, newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { append } from '../../builders/lifecycle/events.ts'
import { during, prepared } from '../../builders/suite/during.ts'

const NOW = 1_700_000_000_000
const SECOND = 1_000
const IP = '192.0.2.7'
const hashOf = (text: string) => createHash('sha256').update(text).digest()
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

export function keysContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const database = during(open)
    const store = prepared(() => sessionStore(database.db, () => undefined))
    const accounts = prepared(() => kyselyAccounts(database.db, append))

    const stored = async (given: Partial<KeyPair> = {}): Promise<KeyPair> => {
      const user = newUser({ groups: ['blue', 'red'] })
      await accounts.createUser(user)
      const pair = newKeyPair(user.id, given)
      expect(await store.addKeyPair(pair, 9)).toBe('added')
      return pair
    }

    test('bounds come back as they were stored, in records and in who a key stands for', async () => {
      const bounds = {
        scopes: ['read', 'match'],
        groups: ['red'],
        networks: ['192.0.2.0/24', '2001:db8::/32'],
      } as const
      const { id, userId, apiKey } = await stored({ bounds, expiresAt: NOW })
      expect(await store.keyPair(userId, id)).toMatchObject({ bounds, expiresAt: NOW, previousUntil: null })
      expect(await store.anyKeyPair(id)).toMatchObject({ bounds })
      const { identity } = (await accounts.keyPairCredential(apiKey))!
      expect(identity).toMatchObject({ ownGroups: ['red'], groups: ['public', 'red'] })
      expect(identity.bounds).toMatchObject({ scopes: ['read', 'match'], groups: ['red'] })
      expect(identity.bounds?.networks?.map(({ text }) => text)).toEqual(['192.0.2.0/24', '2001:db8::/32'])
    })

    test('a key without bounds stands for its user as ever', async () => {
      const { apiKey } = await stored()
      const { identity, previous } = (await accounts.keyPairCredential(apiKey))!
      expect(identity).toMatchObject({ bounds: null, ownGroups: ['blue', 'red'] })
      expect(previous).toBeNull()
    })

    test('a change narrows a key, and what would widen it changes nothing', async () => {
      const { id, userId } = await stored({ expiresAt: NOW + 9 })
      const change = (given: Parameters<SessionStore['changeKeyPair']>[2]) => store.changeKeyPair(userId, id, given)
      expect(await change({ name: 'a', scopes: ['read', 'search'] })).toMatchObject({ name: 'a' })
      expect(await change({ scopes: ['read', 'admin'], name: 'b' })).toEqual({ wider: 'scopes' })
      expect(await change({ expiresAt: NOW + 10 })).toEqual({ wider: 'expireAt' })
      expect(await change({ scopes: ['search'], groups: ['red'], expiresAt: NOW + 8 })).toMatchObject({
        name: 'a',
        bounds: { scopes: ['search'], groups: ['red'], networks: null },
        expiresAt: NOW + 8,
      })
      expect(await store.changeKeyPair(newUser().id, id, { name: 'c' })).toBeNull()
    })

    everywhere('of many changes at once none undoes what another has narrowed', async () => {
      const { id, userId } = await stored({ bounds: { ...UNBOUNDED, scopes: ['read', 'search', 'match'] } })
      const wanted = [['read', 'search'], ['search'], ['search', 'match'], ['search']] as const
      const answers = await times(20, (i) => store.changeKeyPair(userId, id, { scopes: wanted[i % 4]! }))
      expect(answers).not.toContain(null)
      expect((await store.keyPair(userId, id))?.bounds.scopes).toEqual(['search'])
    })

    describe('rotation', () => {
      let now = NOW
      /** Whether a secret is accepted by a process of the API that asks the store each time. */
      const isGood = async ({ apiKey }: KeyPair, secret: string, of: Accounts = accounts): Promise<boolean> => {
        const identify = identification(of, null, () => now)
        const asked = identify({ 'api-key': apiKey, 'api-secret': secret }, IP)
        return asked.then(
          () => true,
          () => false,
        )
      }
      const rotate = (pair: KeyPair, secret: string, graceMs: number) =>
        store.rotateKeyPair(pair.userId, pair.id, {
          secretHash: hashOf(secret),
          previousUntil: graceMs === 0 ? null : now + graceMs,
          now,
        })

      test('the old secret works for the grace and no longer, the new one at once', async () => {
        const pair = await stored({ secretHash: hashOf('first') })
        expect(await rotate(pair, 'second', 60 * SECOND)).toMatchObject({ previousUntil: now + 60 * SECOND })
        expect(await isGood(pair, 'first')).toBe(true)
        expect(await isGood(pair, 'second')).toBe(true)
        now += 60 * SECOND - 1
        expect(await isGood(pair, 'first')).toBe(true)
        now += 1
        expect(await isGood(pair, 'first')).toBe(false)
        expect(await isGood(pair, 'second')).toBe(true)
        expect(await isGood(pair, 'third')).toBe(false)
      })

      test('without a grace the old secret is worth nothing at once', async () => {
        const pair = await stored({ secretHash: hashOf('first') })
        expect(await rotate(pair, 'second', 0)).toMatchObject({ previousUntil: null })
        expect([await isGood(pair, 'first'), await isGood(pair, 'second')]).toEqual([false, true])
        expect((await accounts.keyPairCredential(pair.apiKey))?.previous).toEqual({ secretHash: null, until: now })
      })

      test('of several rotations only the last old secret works, each for its own grace', async () => {
        const pair = await stored({ secretHash: hashOf('first') })
        await rotate(pair, 'second', 60 * SECOND)
        await rotate(pair, 'third', 10 * SECOND)
        const good = async () => [
          await isGood(pair, 'first'),
          await isGood(pair, 'second'),
          await isGood(pair, 'third'),
        ]
        expect(await good()).toEqual([false, true, true])
        now += 10 * SECOND
        expect(await good()).toEqual([false, false, true])
      })

      everywhere('of many rotations at once one secret and one old one are left', async () => {
        const pair = await stored({ secretHash: hashOf('s') })
        await times(10, (i) => rotate(pair, `s${i}`, 60 * SECOND))
        const good = await times(10, (i) => isGood(pair, `s${i}`))
        expect(good.filter(Boolean)).toHaveLength(2)
        expect(await isGood(pair, 's')).toBe(false)
      })

      test('another process refuses a key within a second of its deletion, narrowing or rotation', async () => {
        const there = cachedAccounts(kyselyAccounts(database.db, append), () => now)
        const acts: Record<string, (pair: KeyPair) => Promise<unknown>> = {
          deleted: (pair) => store.deleteKeyPair(pair.userId, pair.id),
          narrowed: (pair) => store.changeKeyPair(pair.userId, pair.id, { networks: ['198.51.100.0/24'] }),
          rotated: (pair) => rotate(pair, 'second', 0),
        }
        for (const [act, run] of Object.entries(acts)) {
          const pair = await stored({ secretHash: hashOf('first') })
          expect([act, await isGood(pair, 'first', there)]).toEqual([act, true])
          await run(pair)
          now += SECOND
          expect([act, await isGood(pair, 'first', there)]).toEqual([act, false])
        }
      })
    })
  })
}
