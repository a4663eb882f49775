/** What every store of subscriptions promises. */

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, test as everywhere, expect } from 'vitest'
import type { Notice } from '../../../connectors/payments/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { billingOver, customerIn, eventIn } from '../../builders/accounts/billing.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { during } from '../../builders/suite/during.ts'

export function subscriptionsContract(
  name: string,
  open: () => Promise<AccountsDatabase>,
  test: Test = everywhere,
): void {
  describe(name, () => {
    const database = during(open)
    let ledger: ReturnType<typeof billingOver>['ledger']
    beforeAll(() => {
      ledger = billingOver(database.db).ledger
    })

    const customer = async () => (await customerIn(database.db)).id
    const eventsOf = async (key: string) => {
      const query = database.db.selectFrom('outbox').select('record').where('key', '=', key).orderBy('seq')
      return (await query.execute()).map(({ record }) => eventIn(record))
    }
    const notice = (customerId: string, given: Partial<Notice> = {}): Notice => ({
      id: randomUUID(),
      time: 1_000_000,
      customerId,
      providerCustomer: `cus_${customerId}`,
      subscription: `sub_${customerId}`,
      order: { tier: 'Pro', quantity: 2 },
      ...given,
    })

    test('a change is told with what was before and what it comes to', async () => {
      const id = await customer()
      const why = cause()
      expect(await ledger.set(id, { tier: 'Pro', quantity: 3 }, why)).toBe('done')
      expect(await eventsOf(id)).toEqual([
        {
          id: why.id,
          type: 'subscription.changed',
          time: why.now,
          actor: why.actor,
          subject: { userID: null, customerID: id },
          data: {
            tier: 'Pro',
            quantity: 3,
            oldTier: 'Free',
            oldQuantity: 1,
            effective: { max_instances: 15 },
            oldEffective: { max_instances: 1 },
          },
        },
      ])
    })

    test('values that stay tell nothing', async () => {
      const id = await customer()
      expect(await ledger.set(id, { tier: 'Free', quantity: 1 }, cause())).toBe('unchanged')
      expect(await eventsOf(id)).toEqual([])
    })

    test('a cancelled subscription is worth nothing, is cancelled once, and can run again', async () => {
      const id = await customer()
      await ledger.set(id, { tier: 'Enterprise', quantity: 2 }, cause())
      expect(await ledger.cancel(id, cause())).toBe('done')
      expect(await ledger.cancel(id, cause())).toBe('unchanged')
      expect(await ledger.set(id, { tier: 'Free', quantity: 1 }, cause())).toBe('done')
      const events = await eventsOf(id)
      expect(events.map(({ type }) => type)).toEqual([
        'subscription.changed',
        'subscription.cancelled',
        'subscription.changed',
      ])
      const worth = events.map(({ data }) => [data.oldEffective.max_instances, data.effective.max_instances])
      expect(worth).toEqual([
        [1, -1],
        [-1, 0],
        [0, 1],
      ])
    })

    test('nothing is told of a customer that does not exist', async () => {
      const id = randomUUID()
      expect(await ledger.set(id, { tier: 'Pro', quantity: 1 }, cause())).toBe('unknown customer')
      expect(await ledger.cancel(id, cause())).toBe('unknown customer')
      expect(await ledger.apply(notice(id), cause())).toBe('unknown customer')
      expect(await ledger.payer(id)).toBeNull()
      expect(await eventsOf(id)).toEqual([])
    })

    test('a change whose event cannot be written does not happen', async () => {
      const id = await customer()
      const broken = cause({ now: Number.NaN })
      await expect(ledger.set(id, { tier: 'Pro', quantity: 9 }, broken)).rejects.toThrow()
      expect(await ledger.set(id, { tier: 'Free', quantity: 1 }, cause())).toBe('unchanged')
    })

    everywhere('a notice counts once, however often it is delivered at once', async () => {
      const id = await customer()
      const told = notice(id)
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => ledger.apply(told, cause())))
      expect(outcomes.sort()).toEqual(['done', 'unchanged', 'unchanged', 'unchanged'])
      await ledger.set(id, { tier: 'Free', quantity: 1 }, cause())
      expect(await ledger.apply(told, cause())).toBe('unchanged')
      expect(await eventsOf(id)).toHaveLength(2)
      expect(await ledger.payer(id)).toMatchObject({
        providerCustomer: told.providerCustomer,
        subscription: told.subscription,
      })
    })

    test('a notice that is overtaken by a newer one changes nothing', async () => {
      const id = await customer()
      await ledger.apply(notice(id, { time: 2000, order: { tier: 'Pro', quantity: 7 } }), cause())
      expect(await ledger.apply(notice(id, { time: 1000 }), cause())).toBe('unchanged')
      expect((await eventsOf(id)).map(({ data }) => data.quantity)).toEqual([7])
    })

    test('what is said of a subscription after its end changes nothing', async () => {
      const id = await customer()
      await ledger.apply(notice(id), cause())
      expect(await ledger.apply(notice(id, { order: null }), cause())).toBe('done')
      expect(await ledger.apply(notice(id), cause())).toBe('unchanged')
      const again = notice(id, { subscription: 'sub_next', time: 2_000_000 })
      expect(await ledger.apply(again, cause())).toBe('done')
      expect((await ledger.payer(id))?.subscription).toBe('sub_next')
    })

    test('the end of a replaced subscription does not end the one that runs', async () => {
      const id = await customer()
      await ledger.apply(notice(id, { subscription: 'sub_running' }), cause())
      const end = notice(id, { subscription: 'sub_before', order: null })
      expect(await ledger.apply(end, cause())).toBe('unchanged')
      expect((await ledger.payer(id))?.subscription).toBe('sub_running')
    })

    test('after a cancellation by hand the provider is not believed about what ran before', async () => {
      const id = await customer()
      await ledger.apply(notice(id), cause())
      await ledger.cancel(id, cause())
      expect(await ledger.apply(notice(id, { time: 9_000_000 }), cause())).toBe('unchanged')
      expect((await ledger.payer(id))?.subscription).toBeNull()
    })

    test('of several accounts at the provider, the first one stays', async () => {
      const id = await customer()
      const names = ['a', 'b', 'c'].map((letter) => `cus_${letter}_${id}`)
      const kept = new Set(await Promise.all(names.map((name) => ledger.link(id, name))))
      expect(kept.size).toBe(1)
      expect((await ledger.payer(id))?.providerCustomer).toBe([...kept][0])
    })

    test('a user is a member of its customer, with a role, and nobody else is', async () => {
      const { id, ownerId } = await customerIn(database.db)
      expect(await ledger.membership(ownerId)).toEqual({ customerId: id, role: 'owner' })
      expect(await ledger.membership(randomUUID())).toBeNull()
    })
  })
}
