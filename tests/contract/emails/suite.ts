/** What every database of addresses promises, above all to callers at the same time. */

import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { kyselyEmails } from '../../../connectors/postgres/accounts/users/email-store.ts'
import { kyselyIdentityChecks } from '../../../connectors/postgres/accounts/users/identity-check-store.ts'
import type { NewEmail } from '../../../connectors/postgres/accounts/users/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { userOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { kyselySettings } from '../../../connectors/postgres/operation/setting-store.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { during, prepared } from '../../builders/suite/during.ts'

const NOW = 1_600_000_000_000
const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

export function emailsContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const database = during(open)
    const emails = prepared(() => kyselyEmails(database.db))
    const accounts = prepared(() => kyselyAccounts(database.db, append))

    const user = async () => {
      const made = newUser()
      await accounts.createUser(made)
      return made
    }
    const email = (userId: string, given: Partial<NewEmail> = {}): NewEmail => ({
      id: randomUUID(),
      userId,
      address: `${randomUUID()}@example.com`,
      verified: false,
      createdAt: NOW,
      ...given,
    })

    test('the address of a new user is verified, preferred and its own, in whatever case', async () => {
      const { id, email: address } = await user()
      expect(await emails.ofUser(id)).toMatchObject([{ userId: id, address, verified: true, preferred: true }])
      expect(await emails.ownerOf(address.toUpperCase())).toBe(id)
      expect(await accounts.createUser(newUser({ email: address.toUpperCase() }))).toBe(false)
    })

    test('a verified second address keeps others from registering with it', async () => {
      const { id } = await user()
      const second = email(id, { verified: true })
      await emails.add(second, 10)
      expect(await accounts.createUser(newUser({ email: second.address }))).toBe(false)
    })

    everywhere('of many that verify one address at the same time, one has it', async () => {
      const address = `${randomUUID()}@example.com`
      const users = await times(8, user)
      const added = users.map(({ id }) => email(id, { address }))
      await Promise.all(added.map((one) => emails.add(one, 10)))
      const outcomes = await Promise.all(added.map(({ id }) => emails.verify(id)))
      expect(outcomes.sort()).toEqual([...Array(7).fill('taken'), 'verified'])
    })

    everywhere('of many that add at the same time, as many as there is room for are stored', async () => {
      const { id } = await user()
      const outcomes = await times(12, () => emails.add(email(id), 5))
      expect(outcomes.filter((outcome) => 'email' in outcome)).toHaveLength(4)
      expect(await emails.ofUser(id)).toHaveLength(5)
    })

    everywhere('preferring and removing at the same time leaves a preferred address that is there', async () => {
      const { id } = await user()
      const second = email(id, { verified: true })
      await emails.add(second, 10)
      await Promise.all([emails.prefer(id, second.id), emails.remove(id, second.id)])
      const shown = await emails.ofUser(id)
      expect(shown.filter(({ preferred }) => preferred)).toHaveLength(1)
      expect((await accounts.user(id))!.email).toBe(shown.find(({ preferred }) => preferred)!.address)
    })

    test('addresses and identity checks end with their user', async () => {
      const { id } = await user()
      const checks = kyselyIdentityChecks(database.db)
      await checks.change(id, NOW, () => ({ status: 'passed', attempts: [], expiresAt: null }))
      expect([...(await checks.passed([id]))]).toEqual([id])
      await userOffboarding(database.db, append).deleteUser(id, cause())
      expect(await emails.ofUser(id)).toEqual([])
      expect(await checks.of(id)).toEqual({ status: 'none', attempts: [], expiresAt: null })
      expect(await checks.change(id, NOW, () => null)).toBeNull()
      expect(await emails.add(email(id), 10)).toEqual({ refused: 'no such user' })
    })

    test('the tier of new customers is what was set last', async () => {
      const settings = kyselySettings(database.db)
      await settings.setDefaultTier('Pro')
      await settings.setDefaultTier('Free')
      expect(await settings.defaultTier()).toBe('Free')
    })
  })
}
