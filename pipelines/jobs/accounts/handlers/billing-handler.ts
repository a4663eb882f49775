/** Memberships of deleted users (specification 6, the table of billing behaviour). */

import type { Payments, SubscriptionLedger } from '../../../../connectors/payments/port.ts'
import type { BillingCleanup } from '../../../../connectors/postgres/lifecycle/port.ts'
import type { FormerMembership, LifecycleEvent } from '../../../../schemas/accounts/lifecycle.ts'
import type { Handler } from './handler.ts'

export type BillingAction = 'remove the role' | 'end the customer'

/** `otherOwners`: owners of that customer beside the deleted one. */
export const billingAction = ({ role }: FormerMembership, otherOwners: number): BillingAction =>
  role === 'owner' && otherOwners === 0 ? 'end the customer' : 'remove the role'

export type BillingPorts = {
  payments: Pick<Payments, 'remove'>
  ledger: Pick<SubscriptionLedger, 'payer'>
  /** As `BillingCleanup` has it, in a transaction of its own. */
  otherOwners: BillingCleanup['otherOwners']
  newId: () => string
}

/**
 * Applies the table to each membership separately. The provider is called before the transaction: a call takes
 * seconds, and repeating it does no harm. The owners are read again inside, under the lock of the customer.
 */
export const billingHandler = ({ payments, ledger, otherOwners, newId }: BillingPorts): Handler => ({
  name: 'billing',

  async before(event) {
    if (event.type !== 'user.deleted') return
    for (const membership of event.data.memberships) {
      const { customerID } = membership
      const owners = await otherOwners(customerID, userOf(event))
      if (owners === null || billingAction(membership, owners) !== 'end the customer') continue
      const account = (await ledger.payer(customerID))?.providerCustomer ?? null
      if (account !== null) await payments.remove(account)
    }
  },

  async apply(event, { billing }) {
    if (event.type !== 'user.deleted') return undefined
    for (const membership of event.data.memberships) {
      const { customerID } = membership
      const owners = await billing.otherOwners(customerID, userOf(event))
      // Gone with everything of it: nothing is left to do.
      if (owners === null) continue
      if (billingAction(membership, owners) === 'remove the role') await billing.removeMember(customerID, userOf(event))
      else
        await billing.end(customerID, {
          reason: 'last_owner',
          cause: { id: newId(), actor: event.actor, now: event.time },
        })
    }
    return undefined
  },
})

const userOf = ({ subject }: LifecycleEvent<'user.deleted'>): string => subject.userID!
