/** Payments for owners, subscriptions for administrators, and the provider's webhook. */

import { Type } from 'typebox'
import { CUSTOMER_TIERS, MAX_QUANTITY, PAID_TIERS } from '../../../../schemas/accounts/tiers/for-sale.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { PageUrl } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { Billing } from '../../services/billing-service.ts'

const CLOSED = { additionalProperties: false }

const Quantity = Type.Integer({ minimum: 1, maximum: MAX_QUANTITY, description: 'Multiplies the quotas of the tier.' })

const UpgradeBody = Type.Object(
  {
    tier: Type.Optional(Type.Enum([...PAID_TIERS], { description: 'default: the next higher tier' })),
    quantity: Type.Optional(
      Type.Integer({
        ...Quantity,
        description: 'Required if `tier` is given; otherwise default: the current quantity.',
      }),
    ),
    successURL: Type.Optional(PageUrl),
    cancelURL: Type.Optional(PageUrl),
  },
  CLOSED,
)
const SubscriptionBody = Type.Object({ tier: Type.Enum([...CUSTOMER_TIERS]), quantity: Quantity }, CLOSED)
const CustomerId = Type.Object({ id: Type.String({ format: 'uuid' }) })

const BILLING = '/api/billing/v1'
const SUBSCRIPTION = `${BILLING}/admin/customer/{id}/subscription`

export const billingRoutes = (billing: Billing): Route[] => [
  route({
    method: 'post',
    path: `${BILLING}/stripe/upgrade`,
    id: 'startUpgrade',
    summary: 'Start an upgrade to a paid tier. Owners only.',
    codes: ['forbidden', 'not_found', 'conflict', 'payment_failed'],
    audit: change('subscription.order', ['payment_accounts', 'customers'], 'customer'),
    tag: 'Billing',
    access: 'authenticated',
    scope: 'account',
    body: UpgradeBody,
    responses: { 200: Type.Object({ checkoutURL: Type.String({ format: 'uri' }) }) },
    handler: async ({ user, body: { successURL, cancelURL, ...order } }) => {
      const success = successURL ?? cancelURL
      const back = success === undefined ? null : { success, cancel: cancelURL ?? success }
      return reply(200, { checkoutURL: await billing.upgrade(user, order, back) })
    },
  }),
  route({
    method: 'get',
    path: `${BILLING}/stripe/customer`,
    id: 'getPaymentPortal',
    summary: 'Get the address of the payment portal, which shows bills and payment methods. Owners only.',
    codes: ['forbidden', 'not_found', 'payment_failed'],
    examples: { words: { url: 'https://payments.example.com/portal/1' } },
    tag: 'Billing',
    access: 'authenticated',
    scope: 'account',
    responses: { 200: Type.Object({ url: Type.String({ format: 'uri' }) }) },
    handler: async ({ user }) => reply(200, { url: await billing.portal(user) }),
  }),
  route({
    method: 'post',
    path: `${BILLING}/stripe/webhook`,
    id: 'receivePaymentEvent',
    summary: 'Receive a signed event of the payment provider.',
    codes: ['not_found', 'payment_failed'],
    examples: { body: { id: 'evt_1', type: 'customer.subscription.updated' } },
    audit: change('subscription.notice', ['payment_accounts', 'customers'], null),
    tag: 'Billing',
    access: 'open',
    scope: null,
    signedBy: 'stripe-signature',
    responses: { 200: Type.Object({ received: Type.Boolean() }) },
    handler: async ({ signed }) => {
      await billing.notice(signed!.bytes, signed!.signature)
      return reply(200, { received: true })
    },
  }),
  route({
    method: 'put',
    path: SUBSCRIPTION,
    id: 'setSubscription',
    summary: 'Set the tier and quantity of a customer. A cancelled subscription becomes active again.',
    codes: ['not_found', 'payment_failed'],
    examples: { words: { tier: 'Pro' } },
    audit: change('subscription.set', 'customers', { param: 'id' }),
    tag: 'Administration',
    access: 'billing_admin',
    scope: 'admin',
    params: CustomerId,
    body: SubscriptionBody,
    responses: { 204: null },
    handler: async ({ user, params, body }) => {
      await billing.set(user, params.id, body)
      return reply(204)
    },
  }),
  route({
    method: 'delete',
    path: SUBSCRIPTION,
    id: 'cancelSubscription',
    summary: 'Cancel the subscription of a customer, also at the payment provider.',
    codes: ['not_found', 'payment_failed'],
    audit: change('subscription.cancel', 'customers', { param: 'id' }),
    tag: 'Administration',
    access: 'billing_admin',
    scope: 'admin',
    params: CustomerId,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await billing.cancel(user, params.id)
      return reply(204)
    },
  }),
]
