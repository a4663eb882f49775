/** Stripe's webhook as Stripe would send it, signed offline by its own library. */

import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'

type Given = {
  id?: string
  type?: string
  customerId?: string
  providerCustomer?: string
  subscription?: string
  status?: string
  lookupKey?: string | null
  quantity?: number
  /** Unix milliseconds. */
  now?: number
}

/** The body of an event about a subscription. */
export const stripeEvent = (given: Given): string =>
  JSON.stringify({
    id: given.id ?? `evt_${randomUUID()}`,
    object: 'event',
    type: given.type ?? 'customer.subscription.updated',
    created: Math.floor((given.now ?? 0) / 1000),
    data: {
      object: {
        id: given.subscription ?? 'sub_1',
        object: 'subscription',
        customer: given.providerCustomer ?? 'cus_1',
        status: given.status ?? 'active',
        metadata: given.customerId === undefined ? {} : { harrier_customer_id: given.customerId },
        items: {
          data: [
            {
              quantity: given.quantity ?? 1,
              price: { lookup_key: given.lookupKey === undefined ? 'harrier_pro' : given.lookupKey },
            },
          ],
        },
      },
    },
  })

/** The `stripe-signature` header; `at` in unix milliseconds. */
export const stripeSignature = (payload: string, secret: string, at: number): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })
