/** Payments at Stripe. A tier is the price with the lookup key `harrier_<tier>`, such as `harrier_pro`. */

import Stripe from 'stripe'
import type { Payer, Payments, ReturnUrls } from './port.ts'
import { CUSTOMER_ID, priceKey } from './stripe-names.ts'
import { stripeNotices } from './stripe-notices.ts'

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
