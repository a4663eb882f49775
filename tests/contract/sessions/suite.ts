/** What every database of sessions promises, above all to callers at the same time. */

import { createHash, randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import type { NewCode, Subject } from '../../../connectors/postgres/accounts/sessions/port.ts'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { userOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { newKeyPair, newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { during, prepared } from '../../builders/suite/during.ts'

/** Long before the other tests of the same server: what is purged here is not theirs. */
const NOW = 1_600_000_000_000
const MINUTE = 60_000

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const session = () => ({ id: randomUUID(), tokenHash: hashOf(randomUUID()), kind: 'web' })
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

const newCode = (given: Partial<NewCode> = {}): NewCode => ({
  idHash: hashOf(randomUUID()),
  codeHash: hashOf('code'),
  email: `${randomUUID()}@example.com`,
  address: randomUUID(),
  network: hashOf(randomUUID()),
  subject: { of: 'nobody' },
  tries: 5,
  expiresAt: NOW + 10 * MINUTE,
  createdAt: NOW,
  ...given,
})

const registration = (email: string): Subject => ({
  of: 'registration',
  user: { id: randomUUID(), email, fullName: 'Ada', alias: 'ada' },
  session: session(),
})

const most = (max: number) => [{ max, since: NOW - 15 * MINUTE }]
const bounds = (email: number, address: number, network = 1000, reserve = 1000) => ({
  email: most(email),
  address: most(address),
  network: most(network),
  reserve: most(reserve),
  knownSince: NOW - 60 * MINUTE,
})
const WIDE = bounds(1000, 1000)
const AT = { now: NOW, sessionExpiresAt: NOW + 30 * MINUTE }

export function sessionsContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const database = during(open)
    const store = prepared(() => sessionStore(database.db, () => undefined))
    const accounts = prepared(() => kyselyAccounts(database.db, append))

    const opened = async (subject: Subject, given: Partial<NewCode> = {}) => {
      const code = newCode({ subject, ...given })
      expect(await store.open(code, WIDE)).toBe(true)
      return code.idHash
    }

    everywhere('of forty codes for one email at once, as many are opened as may be', async () => {
      const email = `${randomUUID()}@example.com`
      const answers = await times(40, () => store.open(newCode({ email }), bounds(5, 1000)))
      expect(answers.filter(Boolean)).toHaveLength(5)
    })

    everywhere('of forty codes for one address at once, as many are opened as may be', async () => {
      const address = randomUUID()
      const answers = await times(40, () => store.open(newCode({ address }), bounds(1000, 7)))
      expect(answers.filter(Boolean)).toHaveLength(7)
    })

    everywhere('of forty codes for one email from one network at once, as many are opened as may be', async () => {
      const given = { email: `${randomUUID()}@example.com`, network: hashOf(randomUUID()) }
      const answers = await times(40, () => store.open(newCode(given), bounds(1000, 1000, 3)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await store.open(newCode({ email: given.email }), bounds(1000, 1000, 3))).toBe(true)
    })

    test('a network that a code was redeemed of has a reserve, for that email and for a while', async () => {
      const email = `${randomUUID()}@example.com`
      const network = hashOf(randomUUID())
      const idHash = await opened(registration(email), { email, network })
      expect(await store.open(newCode({ email, network }), bounds(2, 1000, 1000, 2))).toBe(true)
      expect(await store.open(newCode({ email, network }), bounds(2, 1000, 1000, 2))).toBe(false)
      expect(await store.redeem(idHash, AT)).not.toBeNull()
      const tight = bounds(1, 1000, 1000, 2)
      const later = { ...tight, knownSince: NOW + MINUTE }
      expect(await store.open(newCode({ email, network }), later)).toBe(false)
      const answers = await times(20, () => store.open(newCode({ email, network }), tight))
      expect(answers.filter(Boolean)).toHaveLength(2)
      expect(await store.open(newCode({ email }), tight)).toBe(false)
      await store.purge({ now: 0, codesBefore: 0, unverifiedBefore: 0, knownBefore: NOW + 1 })
      expect(await store.open(newCode({ email, network }), bounds(1, 1000, 1000, 1000))).toBe(false)
    })

    test('emails and addresses crosswise hold up nobody for good', async () => {
      const [emails, addresses] = [
        [randomUUID(), randomUUID()],
        [randomUUID(), randomUUID()],
      ]
      const answers = await times(40, (i) =>
        store.open(newCode({ email: emails[i % 2]!, address: addresses[(i >> 1) % 2]! }), WIDE),
      )
      expect(answers.filter(Boolean)).toHaveLength(40)
    })

    everywhere('of forty tries at once, five are given', async () => {
      const idHash = await opened({ of: 'nobody' })
      const tries = await times(40, () => store.takeTry(idHash, NOW))
      expect(tries.filter((hash) => hash !== null)).toHaveLength(5)
      expect(tries.find((hash) => hash !== null)?.equals(hashOf('code'))).toBe(true)
    })

    everywhere('of ten that redeem one code at once, one does', async () => {
      const email = `${randomUUID()}@example.com`
      const idHash = await opened(registration(email))
      const redeemed = await times(10, () => store.redeem(idHash, AT))
      expect(redeemed.filter((made) => made !== null)).toHaveLength(1)
      expect(await store.takeTry(idHash, NOW)).toBeNull()
    })

    everywhere('of ten codes that register one email at once, all lead to one user', async () => {
      const email = `${randomUUID()}@Example.com`
      const hashes = await times(10, (i) => opened(registration(i % 2 === 0 ? email : email.toUpperCase())))
      const made = await times(10, (i) => store.redeem(hashes[i]!, AT))
      expect(made.filter((redeemed) => redeemed?.of === 'session')).toHaveLength(10)
      const userId = await store.userIdOf(email)
      expect(await store.sessions(userId!, NOW)).toHaveLength(10)
    })

    test('a voided, late or nobody-told code makes nothing', async () => {
      const voided = await opened({ of: 'nobody' })
      await store.void(voided)
      expect(await store.takeTry(voided, NOW)).toBeNull()
      const late = await opened(registration('late@example.com'))
      expect(await store.takeTry(late, NOW + 10 * MINUTE)).toBeNull()
      expect(await store.redeem(late, { ...AT, now: NOW + 10 * MINUTE })).toBeNull()
      expect(await store.redeem(await opened({ of: 'nobody' }), AT)).toBeNull()
    })

    everywhere('of forty key pairs at once, a user has as many as may be', async () => {
      const user = newUser()
      await accounts.createUser(user)
      const answers = await times(40, () => store.addKeyPair(newKeyPair(user.id), 9))
      expect(answers.filter((answer) => answer === 'added')).toHaveLength(9)
      expect(await store.keyPairs(user.id)).toHaveLength(9)
      expect(await store.addKeyPair(newKeyPair(randomUUID()), 9)).toBe('no such user')
    })

    test('a key pair that waits is no credential until its code came', async () => {
      const user = newUser()
      await accounts.createUser(user)
      const pair = newKeyPair(user.id)
      const idHash = await opened({ of: 'key pair', pair })
      expect(await accounts.keyPairCredential(pair.apiKey)).toMatchObject({ verified: false })
      expect(await store.redeem(idHash, AT)).toEqual({ of: 'key pair', id: pair.id, expiresAt: null })
      expect(await accounts.keyPairCredential(pair.apiKey)).toMatchObject({ verified: true })
    })

    test('a code for an address that its user does not have any more opens nothing', async () => {
      const user = newUser()
      await accounts.createUser(user)
      const login: Subject = { of: 'login', userId: user.id, session: session() }
      expect(await store.redeem(await opened(login, { email: 'former@example.com' }), AT)).toBeNull()
      expect(await store.redeem(await opened(login, { email: user.email.toLowerCase() }), AT)).toMatchObject({
        of: 'session',
      })
    })

    test('a user of a release without addresses signs in and registers as itself', async () => {
      for (const at of ['log in', 'register'] as const) {
        const user = newUser()
        await accounts.createUser(user)
        await database.db.deleteFrom('emails').where('user_id', '=', user.id).execute()
        if (at === 'log in') expect(await times(4, () => store.userIdOf(user.email))).toEqual(Array(4).fill(user.id))
        else expect(await store.redeem(await opened(registration(user.email)), AT)).toMatchObject({ of: 'session' })
        expect(
          await database.db
            .selectFrom('emails')
            .select(['address', 'verified'])
            .where('user_id', '=', user.id)
            .execute(),
        ).toEqual([{ address: user.email, verified: true }])
      }
    })

    test('invitations that are over are purged, others stay', async () => {
      const customerId = randomUUID()
      const row = {
        id: customerId,
        name: 'Acme',
        email: 'billing@example.com',
        billing_address: '{}',
        tier: 'Free',
        created_at: new Date(NOW),
      }
      await database.db.insertInto('customers').values(row).execute()
      const invitation = (expiresAt: number) => ({
        token_hash: hashOf(randomUUID()),
        customer_id: customerId,
        email: 'ann@example.com',
        role: 'user',
        invited_by: randomUUID(),
        created_at: new Date(NOW),
        expires_at: new Date(expiresAt),
      })
      const [over, good] = [invitation(NOW), invitation(NOW + 1)]
      await database.db.insertInto('invitations').values([over, good]).execute()
      await store.purge({ now: NOW, codesBefore: 0, unverifiedBefore: 0, knownBefore: 0 })
      const left = database.db.selectFrom('invitations').select('token_hash').where('customer_id', '=', customerId)
      expect(await left.execute()).toEqual([{ token_hash: good.token_hash }])
    })

    everywhere('a purge leaves what is still of use, and several at once do not meet', async () => {
      const user = newUser()
      await accounts.createUser(user)
      const waiting = newKeyPair(user.id, { createdAt: NOW })
      const idHash = await opened({ of: 'login', userId: user.id, session: session() }, { email: user.email })
      await opened({ of: 'key pair', pair: waiting })
      await store.redeem(idHash, AT)
      const purge = (now: number) =>
        store.purge({ now, codesBefore: now - 10 * MINUTE, unverifiedBefore: now - MINUTE, knownBefore: 0 })
      await purge(NOW)
      expect(await store.sessions(user.id, 0)).toHaveLength(1)
      expect(await store.keyPairs(user.id)).toHaveLength(1)
      await times(4, () => purge(NOW + 30 * MINUTE))
      expect(await store.sessions(user.id, 0)).toEqual([])
      expect(await store.keyPairs(user.id)).toEqual([])
    })

    test('a deleted user takes its codes along', async () => {
      const user = newUser()
      await accounts.createUser(user)
      const idHash = await opened({ of: 'login', userId: user.id, session: session() }, { email: user.email })
      await userOffboarding(database.db, append).deleteUser(user.id, cause())
      expect(await store.redeem(idHash, AT)).toBeNull()
    })
  })
}
