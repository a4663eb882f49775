/** Subscriptions: what owners buy, what the provider says, what administrators set (specification 6, decisions 6.6, 8.4). */

import {
  NoticeRefused,
  type Order,
  type Payer,
  type Payments,
  type ReturnUrls,
  type SubscriptionLedger,
} from '../../../connectors/payments/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { Actor, Cause } from '../../../schemas/accounts/lifecycle.ts'
import { tierAbove } from '../../../schemas/accounts/tiers/for-sale.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { membershipOf } from './team/own-customer.ts'

export type Billing = {
  /**
   * Where the owner pays. Without a tier: the next one up, of the present quantity unless one is given. Throws 400 for a
   * tier without a quantity, 403 for another member, 404 for a caller without a customer, 409 at the highest tier.
   */
  upgrade(user: Identity, order: Partial<Order>, back: ReturnUrls | null): Promise<string>
  /** The provider's pages for the owner; throws as `upgrade` does. */
  portal(user: Identity): Promise<string>
  /** Takes a signed notice of the provider. Throws 400 for one that is not its, 404 when there is no provider. */
  notice(body: Buffer, signature: string): Promise<void>
  /** Throws 404 for an unknown customer. */
  set(user: Identity, customerId: string, order: { tier: string; quantity: number }): Promise<void>
  /** Throws 404 for an unknown customer, and for one with a cancelled subscription. */
  cancel(user: Identity, customerId: string): Promise<void>
}

type Ports = { payments: Payments; ledger: SubscriptionLedger; now: () => number; newId: () => string }

type KnownPayer = Payer & { providerCustomer: string }

export function billingService({ payments, ledger, now, newId }: Ports): Billing {
  const cause = (actor: Actor): Cause => ({ id: newId(), actor, now: now() })

  const owned = async (user: Identity): Promise<KnownPayer> => {
    const membership = await membershipOf(ledger)(user)
    if (membership === null) throw new ApiError('not_found', { message: 'the caller is not a member of a customer' })
    if (membership.role !== 'owner')
      throw new ApiError('forbidden', { message: 'the role owner of the customer is required' })
    const payer = await known(membership.customerId)
    if (payer.providerCustomer !== null) return { ...payer, providerCustomer: payer.providerCustomer }
    const registered = await atProvider(() => payments.register(payer))
    return { ...payer, providerCustomer: await ledger.link(payer.id, registered) }
  }

  const known = async (customerId: string): Promise<Payer> => {
    const payer = await ledger.payer(customerId)
    if (payer === null) throw noSuchCustomer()
    return payer
  }

  return {
    async upgrade(user, wanted, back) {
      if (wanted.tier !== undefined && wanted.quantity === undefined) throw invalid('quantity', 'is required')
      const payer = await owned(user)
      const tier = wanted.tier ?? tierAbove(payer.tier)
      if (tier === null) throw new ApiError('conflict', { message: `there is no tier above ${payer.tier}` })
      const order: Order = { tier, quantity: wanted.quantity ?? payer.quantity }
      const { url, paid } = await atProvider(() => payments.checkout(payer, order, back))
      if (paid) await ledger.set(payer.id, order, cause({ userID: user.userId, kind: 'owner' }))
      return url
    },

    async portal(user) {
      const { providerCustomer } = await owned(user)
      return atProvider(() => payments.portal(providerCustomer))
    },

    async notice(body, signature) {
      if (payments.notices === null) throw new ApiError('not_found', { message: 'no payment provider is configured' })
      const notice = readNotice(payments.notices, body, signature, now())
      if (notice !== null) await ledger.apply(notice, cause({ userID: null, kind: 'provider' }))
    },

    async set(user, customerId, order) {
      const outcome = await ledger.set(customerId, order, cause({ userID: user.userId, kind: 'admin' }))
      if (outcome === 'unknown customer') throw noSuchCustomer()
    },

    async cancel(user, customerId) {
      const { subscription } = await known(customerId)
      // At the provider first: when that fails, nothing has changed here and the call can be repeated.
      if (subscription !== null) await atProvider(() => payments.end(subscription))
      const outcome = await ledger.cancel(customerId, cause({ userID: user.userId, kind: 'admin' }))
      if (outcome === 'unknown customer') throw noSuchCustomer()
      if (outcome === 'unchanged') throw new ApiError('not_found', { message: 'the subscription is already cancelled' })
    },
  }
}

const noSuchCustomer = () => new ApiError('not_found', { message: 'no such customer', param: 'id' })

function readNotice(notices: NonNullable<Payments['notices']>, body: Buffer, signature: string, now: number) {
  try {
    return notices(body, signature, now)
  } catch (error) {
    if (error instanceof NoticeRefused)
      throw new ApiError('malformed_request', { message: error.message }, { cause: error })
    throw error
  }
}

async function atProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    throw new ApiError('payment_failed', {}, { cause })
  }
}
