/** Stripe's webhook: what a signed event says of a subscription. */

import type Stripe from 'stripe'
import { MAX_QUANTITY } from '../../schemas/accounts/tiers/for-sale.ts'
import { type Notice, type NoticeReader, NoticeRefused } from './port.ts'
import { CUSTOMER_ID, tierOf } from './stripe-names.ts'

/** A signature counts this long: what was caught on the way cannot be sent again later. */
const TOLERANCE_SECONDS = 300

const EVENTS = ['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted']

/** Statuses that count as paid and as ended; any other (a late payment, a first one in progress) changes nothing. */
const RUNNING = ['active', 'trialing']
const OVER = ['canceled', 'unpaid', 'incomplete_expired']

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function stripeNotices({ webhooks }: Pick<Stripe, 'webhooks'>, secret: string): NoticeReader {
  return (body, signature, now) => {
    let event: Stripe.Event
    try {
      event = webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now)
    } catch (cause) {
      throw new NoticeRefused('stripe-signature: does not match the body, or is too old', { cause })
    }
    if (!EVENTS.includes(event.type)) return null
    return notice(event, event.data.object as Stripe.Subscription)
  }
}

/**
 * null: a subscription that is not ours, or in a state that changes nothing. Throws NoticeRefused for an invalid one.
 */
function notice({ id, created, type }: Stripe.Event, subscription: Stripe.Subscription): Notice | null {
  const customerId = subscription.metadata[CUSTOMER_ID]
  if (customerId === undefined || !UUID.test(customerId)) return null
  const { customer, status } = subscription
  const providerCustomer = typeof customer === 'string' ? customer : customer.id
  const about = { id, time: created * 1000, customerId, providerCustomer, subscription: subscription.id }
  if (type === 'customer.subscription.deleted' || OVER.includes(status)) return { ...about, order: null }
  return RUNNING.includes(status) ? { ...about, order: orderOf(subscription) } : null
}

function orderOf({ id, items }: Stripe.Subscription): { tier: string; quantity: number } {
  const item = items.data[0]
  const tier = tierOf(item?.price.lookup_key ?? null)
  if (tier === null) throw new NoticeRefused(`the subscription ${id} has no price that belongs to a tier`)
  const { quantity = 1 } = item!
  if (quantity < 1 || quantity > MAX_QUANTITY)
    throw new NoticeRefused(`the subscription ${id} has a quantity out of range`)
  return { tier, quantity }
}
