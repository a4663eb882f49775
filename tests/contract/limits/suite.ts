/** What every store of limits and quotas promises. */

import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { kyselyCounters } from '../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../connectors/postgres/accounts/plan/limit-leases.ts'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { kyselySubscriptions } from '../../../connectors/postgres/accounts/plan/subscriptions.ts'
import { kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { layOver } from '../../../schemas/accounts/tiers/overlay.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import { newCounter } from '../../builders/accounts/counters.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { newCustomer } from '../../builders/accounts/team.ts'
import { append } from '../../builders/lifecycle/events.ts'
import { during } from '../../builders/suite/during.ts'

const instances = { service: 'compute-api', featureKey: 'max_instances' }
const cases = { service: 'casework-api', featureKey: 'max_cases' }

const quotas = {
  'compute-api': { max_instances: { value: 7 } },
  'casework-api': { max_cases: { value: -1 }, max_watchlists: { value: 0 } },
}
const TIERS = layOver(BUILT_IN_TIERS, { tiers: { Free: { quotas } } })

export function limitsContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const database = during(open)

    async function customer(quantity = 1): Promise<string> {
      const owner = newUser()
      const accounts = kyselyAccounts(database.db, append)
      await accounts.createUser(owner)
      const id = randomUUID()
      await kyselyTeam(database.db).createCustomer(newCustomer(owner.id, { id }))
      await database.db.updateTable('customers').set({ quantity }).where('id', '=', id).execute()
      return id
    }

    test('a loan is the need, or the wish while a sixteenth of the rest covers it, and never beyond the limit', async () => {
      const rows = kyselyCounters(database.db)
      const counter = newCounter()
      expect(await rows.lend(counter, 1_600, 1, 50)).toEqual({ units: 50, granted: 50 })
      expect(await rows.lend(counter, 1_600, 1, 500)).toEqual({ units: 96, granted: 146 })
      expect(await rows.lend(counter, 1_600, 200, 500)).toEqual({ units: 200, granted: 346 })
      await rows.takeBack(counter, 46)
      expect(await rows.lend(counter, 310, 5, 500)).toEqual({ units: 5, granted: 305 })
      expect(await rows.lend(counter, 310, 20, 20)).toEqual({ units: 5, granted: 310 })
      expect(await rows.lend(counter, 310, 1, 1)).toBeNull()
      expect(await rows.lend(counter, 100, 1, 1)).toBeNull()
      await rows.takeBack(counter, 1_000)
      expect(await rows.lend(counter, 3, 9, 9)).toEqual({ units: 3, granted: 3 })
    })

    test('every window, feature and subject has a count of its own', async () => {
      const rows = kyselyCounters(database.db)
      const counter = newCounter()
      const others = [
        newCounter({ ...counter, start: counter.end, end: counter.end + 60_000 }),
        newCounter({ ...counter, window: 'hour' }),
        newCounter({ ...counter, featureKey: 'simple_search_per_minute' }),
        newCounter({ ...counter, subject: { type: 'user', id: counter.subject.id } }),
      ]
      for (const each of [counter, ...others]) expect(await rows.lend(each, 1, 1, 1)).toEqual({ units: 1, granted: 1 })
    })

    test('usage tells the open windows of one subject without what is only borrowed', async () => {
      const at = 1_800_000_000_000
      const limits = limitLeases(kyselyCounters(database.db), () => at)
      const counter = newCounter()
      const { subject, service, featureKey, window, start } = counter
      for (let i = 0; i < 30; i++) await limits.take(counter, 10_000, 1)
      await limits.take(newCounter({ subject, start: at - 60_000, end: at }), 10_000, 1)
      expect(await limits.usage(subject, at)).toEqual([{ service, featureKey, window, start, used: 30 }])
      await limits.close()
      expect(await kyselyCounters(database.db).usage(subject, at)).toMatchObject([{ used: 30 }])
    })

    test('windows that are over are purged, others stay', async () => {
      const rows = kyselyCounters(database.db)
      const old = newCounter({ start: 1_000_000_000_000, end: 1_000_000_060_000 })
      const young = newCounter()
      await rows.lend(old, 10, 1, 1)
      await rows.lend(young, 10, 1, 1)
      const removed = await Promise.all([rows.purge(1_100_000_000_000), rows.purge(1_100_000_000_000)])
      expect(removed.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(1)
      expect(await rows.usage(old.subject, old.start)).toEqual([])
      expect(await rows.usage(young.subject, young.start)).toHaveLength(1)
    })

    test('a customer has its subscription, nobody has none', async () => {
      const subscriptions = kyselySubscriptions(database.db)
      expect(await subscriptions.of(await customer(3))).toEqual({ tier: 'Free', quantity: 3 })
      expect(await subscriptions.of(randomUUID())).toBeNull()
    })

    everywhere('of fifty who create at once, as many as the cap succeed', async () => {
      const service = kyselyQuotas(database.db, TIERS)
      const id = await customer(3)
      const answers = await Promise.all(Array.from({ length: 50 }, () => service.take(id, instances, 1)))
      expect(answers.filter((answer) => answer?.taken)).toHaveLength(21)
      expect(answers.every((answer) => answer?.cap === 21)).toBe(true)
      expect(await service.usage(id)).toEqual([{ ...instances, used: 21 }])
    })

    test('several are taken all or none, released down to nothing, and reconciled to what is there', async () => {
      const service = kyselyQuotas(database.db, TIERS)
      const id = await customer()
      expect(await service.take(id, instances, 5)).toEqual({ taken: true, used: 5, cap: 7 })
      expect(await service.take(id, instances, 3)).toEqual({ taken: false, used: 5, cap: 7 })
      await service.release(id, instances, 1)
      expect(await service.take(id, instances, 3)).toEqual({ taken: true, used: 7, cap: 7 })
      await service.release(id, instances, 100)
      expect(await service.usage(id)).toEqual([{ ...instances, used: 0 }])
      await service.reconcile(id, instances, 12)
      expect(await service.take(id, instances, 1)).toEqual({ taken: false, used: 12, cap: 7 })
      await service.reconcile(id, cases, 4)
      expect(await service.take(id, cases, 1)).toEqual({ taken: true, used: 5, cap: -1 })
    })

    test('a disabled quota gives nothing, and unknown customers and quotas have none', async () => {
      const service = kyselyQuotas(database.db, TIERS)
      const id = await customer(9)
      const watchlists = { service: 'casework-api', featureKey: 'max_watchlists' }
      expect(await service.take(id, watchlists, 1)).toEqual({ taken: false, used: 0, cap: 0 })
      expect(await service.take(id, { service: 'casework-api', featureKey: 'max_none' }, 1)).toBeNull()
      expect(await service.take(randomUUID(), cases, 1)).toBeNull()
      await service.reconcile(randomUUID(), cases, 1)
    })

    test('a cancelled subscription leaves nothing of compute, and the rest as it is', async () => {
      const service = kyselyQuotas(database.db, TIERS)
      const id = await customer(3)
      expect(await service.take(id, instances, 1)).toMatchObject({ taken: true, cap: 21 })
      const cancelled = { subscription_status: 'cancelled', quantity: 1 } as const
      await database.db.updateTable('customers').set(cancelled).where('id', '=', id).execute()
      expect(await service.take(id, instances, 1)).toEqual({ taken: false, used: 1, cap: 0 })
      expect(await service.take(id, cases, 1)).toMatchObject({ taken: true, cap: -1 })
      expect(await kyselySubscriptions(database.db).of(id)).toEqual({ tier: 'Free', quantity: 0 })
    })

    everywhere('what is taken in a transaction is undone with it', async () => {
      const id = await customer()
      const failing = database.db.transaction().execute(async (tx) => {
        expect(await kyselyQuotas(tx, TIERS).take(id, instances, 2)).toMatchObject({ taken: true })
        throw new Error('the instance could not be made')
      })
      await expect(failing).rejects.toThrow('could not be made')
      expect(await kyselyQuotas(database.db, TIERS).usage(id)).toEqual([])
    })
  })
}
