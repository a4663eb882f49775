/** Limits that apply to a caller: of its customer, its user or its address (decisions 6.2). */

import type { Subject, Subscription, Subscriptions } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { PUBLIC_TIER, type Tier, type Tiers, tierOf } from '../../../schemas/accounts/tiers/tiers.ts'
import { knownBlock } from '../addresses/known-addresses.ts'
import { ApiError } from '../errors.ts'

/** `subject` null: nothing is counted, because no limit applies to the built-in administrator. */
export type Allowance = { subject: Subject | null; tierName: string; tier: Tier; quantity: number }

export type Membership = { customerId: string; tierName: string; tier: Tier; quantity: number }

export type Allowances = {
  /** Subject: of a member its customer; of another user the user, of no user the address or, of IPv6, its /64, both with the public values. */
  of(user: Identity | null, ip: string): Promise<Allowance> | Allowance
  ofAddress(ip: string): Allowance
  /** Throws 403 for a user without a customer. */
  membership(user: Identity): Promise<Membership>
}

type Sources = {
  tiers: Tiers
  subscriptions: Subscriptions
}

export function allowances({ tiers, subscriptions }: Sources): Allowances {
  const open = { ...tierByName(tiers, PUBLIC_TIER), quantity: 1 }
  const ofAddress = (ip: string): Allowance => ({ subject: { type: 'ip', id: knownBlock(ip) }, ...open })

  const subscribed = (subscription: Subscription | null): Omit<Membership, 'customerId'> | null =>
    subscription && { ...tierByName(tiers, subscription.tier), quantity: subscription.quantity }

  const ofUser = ({ userId }: Identity): Allowance => ({ subject: { type: 'user', id: userId }, ...open })

  async function ofMember(user: Identity, customerId: string): Promise<Allowance> {
    const customer = subscribed(await subscriptions.recent(customerId))
    return customer === null ? ofUser(user) : { subject: { type: 'customer', id: customerId }, ...customer }
  }

  return {
    ofAddress,
    of(user, ip) {
      if (user === null) return ofAddress(ip)
      if (user.builtIn) return { subject: null, ...open }
      return user.chargedCustomerId === null ? ofUser(user) : ofMember(user, user.chargedCustomerId)
    },
    async membership({ chargedCustomerId: customerId }) {
      const customer = customerId === null ? null : subscribed(await subscriptions.of(customerId))
      if (customer === null) throw new ApiError('forbidden', { message: 'a membership of a customer is required' })
      return { customerId: customerId!, ...customer }
    },
  }
}

function tierByName(tiers: Tiers, name: string): { tierName: string; tier: Tier } {
  const known = tierOf(tiers, name)
  return { tierName: known.name, tier: known.tier }
}
