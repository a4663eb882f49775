/** Offboarding of a customer: deletion by its owner or by an administrator (specification 4.7, 6). */

import type { Payments, SubscriptionLedger } from '../../../../connectors/payments/port.ts'
import type { Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { CustomerOffboarding } from '../../../../connectors/postgres/lifecycle/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import type { Actor, CustomerEnd } from '../../../../schemas/accounts/lifecycle.ts'
import { ApiError } from '../../../http/errors.ts'
import { membershipOf } from './own-customer.ts'

export type OffboardingService = {
  /** Throws 404 for a caller without a customer, 403 for one who does not own it: before anything is deleted. */
  own(user: Identity): Promise<void>
  /** Throws 404 for an unknown customer. */
  force(user: Identity, customerId: string): Promise<void>
}

type Ports = {
  team: Pick<Team, 'membership'>
  ledger: Pick<SubscriptionLedger, 'payer'>
  payments: Pick<Payments, 'remove'>
  offboarding: CustomerOffboarding
  now: () => number
  newId: () => string
}

export function offboardingService({ team, ledger, payments, offboarding, now, newId }: Ports): OffboardingService {
  const end = async (customerId: string, reason: CustomerEnd, actor: Actor): Promise<void> => {
    const payer = await ledger.payer(customerId)
    if (payer === null) throw noSuchCustomer()
    // At the provider first: when that fails, nothing has changed here and the call can be repeated.
    if (payer.providerCustomer !== null) await atProvider(() => payments.remove(payer.providerCustomer!))
    if (!(await offboarding.end(customerId, { reason, cause: { id: newId(), actor, now: now() } })))
      throw noSuchCustomer()
  }

  return {
    async own(user) {
      const membership = await membershipOf(team)(user)
      if (membership === null) throw new ApiError('not_found', { message: 'the caller is not a member of a customer' })
      if (membership.role !== 'owner')
        throw new ApiError('forbidden', { message: 'the role owner of a customer is required' })
      await end(membership.customerId, 'owner', { userID: user.userId, kind: 'owner' })
    },
    force: ({ userId }, customerId) => end(customerId, 'admin', { userID: userId, kind: 'admin' }),
  }
}

const noSuchCustomer = () => new ApiError('not_found', { message: 'no such customer', param: 'id' })

async function atProvider(call: () => Promise<void>): Promise<void> {
  try {
    await call()
  } catch (cause) {
    throw new ApiError('payment_failed', {}, { cause })
  }
}
