/** Payments at Stripe. A tier is the price with the lookup key `harrier_<tier>`, such as `harrier_pro`. */

import Stripe from 'stripe'
import { MAX_QUANTITY, PAID_TIERS } from '../../schemas/accounts/tiers/for-sale.ts'
import { type Notice, type NoticeReader, NoticeRefused, type Payer, type Payments, type ReturnUrls } from './port.ts'

// What ties records at Stripe to ours.

/** Metadata of customers and subscriptions at Stripe: the UUID of our customer. */
const CUSTOMER_ID = 'harrier_customer_id'

/** Lookup key of the price of a tier. */
const priceKey = (tier: string): string => `harrier_${tier.toLowerCase()}`

/** null: no price of ours. */
const tierOf = (lookupKey: string | null): string | null =>
  PAID_TIERS.find((tier) => priceKey(tier) === lookupKey) ?? null

// Stripe's webhook: what a signed event says of a subscription.

/** A signature counts this long: what was caught on the way cannot be sent again later. */
const TOLERANCE_SECONDS = 300

const EVENTS = ['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted']

/** Statuses that count as paid and as ended; any other (a late payment, a first one in progress) changes nothing. */
const RUNNING = ['active', 'trialing']
const OVER = ['canceled', 'unpaid', 'incomplete_expired']

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function stripeNotices({ webhooks }: Pick<Stripe, 'webhooks'>, secret: string): NoticeReader {
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

export type StripeOptions = {
  secretKey: string
  webhookSecret: string
  /** Where Stripe sends the owner back to. */
  returnUrl: string
  /** Another server than Stripe's own (tests). */
  server?: { protocol: 'http' | 'https'; host: string; port: number }
}

/** A call is within a request of a caller. */
const TIMEOUT_MS = 8_000

export function stripePayments({ secretKey, webhookSecret, returnUrl, server }: StripeOptions): Payments {
  const stripe = new Stripe(secretKey, { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, ...server })

  const priceOf = async (tier: string): Promise<string> => {
    const { data } = await stripe.prices.list({ lookup_keys: [priceKey(tier)], active: true, limit: 1 })
    const price = data[0]
    if (price === undefined) throw new Error(`no active price at Stripe has the lookup key ${priceKey(tier)}`)
    return price.id
  }

  return {
    async register({ id, name, email }) {
      const customer = await stripe.customers.create(
        { name, ...(email === '' ? {} : { email }), metadata: { [CUSTOMER_ID]: id } },
        { idempotencyKey: `harrier-customer-${id}` },
      )
      return customer.id
    },

    async checkout(payer, { tier, quantity }, back) {
      // A second checkout would start a second subscription beside the running one: that is changed in the portal.
      if (payer.subscription !== null) return { url: await changing(payer, payer.subscription, back), paid: false }
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: payer.providerCustomer,
        client_reference_id: payer.id,
        line_items: [{ price: await priceOf(tier), quantity }],
        subscription_data: { metadata: { [CUSTOMER_ID]: payer.id } },
        success_url: back?.success ?? returnUrl,
        cancel_url: back?.cancel ?? returnUrl,
      })
      if (session.url === null) throw new Error('Stripe returned a checkout session without a URL')
      return { url: session.url, paid: false }
    },

    async portal(customer) {
      const session = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })
      return session.url
    },

    async end(subscription) {
      await stripe.subscriptions.cancel(subscription).catch(unlessGone)
    },

    async remove(providerCustomer) {
      await stripe.customers.del(providerCustomer).catch(unlessGone)
    },

    notices: stripeNotices(stripe, webhookSecret),
  }

  async function changing(
    { providerCustomer }: Payer & { providerCustomer: string },
    subscription: string,
    back: ReturnUrls | null,
  ) {
    const session = await stripe.billingPortal.sessions.create({
      customer: providerCustomer,
      return_url: back?.success ?? returnUrl,
      flow_data: { type: 'subscription_update', subscription_update: { subscription } },
    })
    return session.url
  }
}

function unlessGone(error: unknown): void {
  if ((error as { statusCode?: unknown }).statusCode !== 404) throw error
}
