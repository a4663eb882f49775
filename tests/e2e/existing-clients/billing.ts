/** Billing: customers, members, limits, quotas and payments, as the public JavaScript client asks for them. */

import { at, type Call } from './call.ts'

const BILLING = '/api/billing/v1'
const ACME = {
  email: 'billing@example.com',
  name: 'Acme',
  billingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
}
const PAGES = { successURL: 'https://app.example.com/paid', cancelURL: 'https://app.example.com/prices' }

const unixSeconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) < 1e11
const has = (answer: unknown, ...names: string[]): boolean => names.every((name) => at(answer, name) !== undefined)

/** Every feature of every service of an answer. */
const features = (answer: unknown): unknown[] =>
  Object.values(at(answer, 'services') as object).flatMap((service) => at(service, 'features') as unknown[])

export const billing: readonly Call[] = [
  {
    method: 'billing.getCustomer',
    args: [],
    verb: 'GET',
    path: `${BILLING}/customer`,
    status: 200,
    holds: (answer, known) => at(answer, 'id') === known.customerID,
  },
  {
    // Whoever belongs to a customer makes no second one: the client says so of this call.
    method: 'billing.createCustomer',
    args: [ACME],
    verb: 'POST',
    path: `${BILLING}/customer`,
    body: ACME,
    status: 412,
  },
  {
    method: 'billing.getCustomerTier',
    args: [],
    verb: 'GET',
    path: `${BILLING}/customer/tier`,
    status: 200,
    holds: (answer, known) =>
      at(answer, 'customerId') === known.customerID &&
      has(answer, 'tierId', 'tierName', 'description', 'isActive', 'subscriptionStatus', 'stacks', 'trialUsed'),
  },
  {
    method: 'billing.upgradeToPro',
    args: [PAGES],
    verb: 'POST',
    path: `${BILLING}/stripe/upgrade`,
    body: PAGES,
    status: 200,
    holds: (answer) => at(answer, 'checkoutURL') === PAGES.successURL,
  },
  {
    method: 'billing.startCustomerPortal',
    args: [],
    verb: 'GET',
    path: `${BILLING}/stripe/customer`,
    status: 200,
    holds: (answer) => String(at(answer, 'url')).startsWith('http'),
  },
  {
    method: 'billing.listMembers',
    args: [],
    verb: 'GET',
    path: `${BILLING}/customer/members`,
    status: 200,
    holds: (answer) => at(answer, 'members', 0, 'role') === 'owner' && at(answer, 'pages') === 1,
  },
  {
    method: 'billing.getLimits',
    args: [],
    verb: 'GET',
    path: `${BILLING}/limits`,
    status: 200,
    holds: (answer, known) =>
      at(answer, 'customerId') === known.customerID && at(answer, 'tierName') === 'Pro' && has(answer, 'limits'),
  },
  {
    method: 'billing.getServiceLimits',
    args: ['ai-api'],
    verb: 'GET',
    path: `${BILLING}/limits/ai-api`,
    status: 200,
    holds: (answer) => at(answer, 'serviceName') === 'ai-api' && has(answer, 'limits'),
  },
  {
    method: 'billing.getUsage',
    args: [],
    verb: 'GET',
    path: `${BILLING}/limits/usage`,
    status: 200,
    holds: (answer) =>
      unixSeconds(at(answer, 'fetchedAt')) && features(answer).every((one) => unixSeconds(at(one, 'resetAt'))),
  },
  {
    method: 'billing.getIpUsage',
    args: [],
    verb: 'GET',
    path: `${BILLING}/limits/usage/ip`,
    status: 200,
    holds: (answer) => at(answer, 'identifierType') === 'ip' && unixSeconds(at(answer, 'fetchedAt')),
  },
  {
    method: 'billing.getQuotas',
    args: [],
    verb: 'GET',
    path: `${BILLING}/quotas/usage`,
    status: 200,
    holds: (answer, known) => at(answer, 'customerId') === known.customerID && features(answer).length > 0,
  },
  {
    method: 'billing.addMember',
    args: [{ email: 'nobody.yet@example.com' }],
    verb: 'POST',
    path: `${BILLING}/customer/member`,
    body: { email: 'nobody.yet@example.com' },
    status: 201,
    holds: (answer) => at(answer, 'message') === 'acknowledged',
  },
  {
    method: '-',
    verb: 'POST',
    path: (known) => `${BILLING}/admin/customer/${known.customerID}/member`,
    body: (known) => ({ userID: known['other userID'], role: 'owner' }),
    by: 'administrator',
    status: 201,
  },
  {
    // To another owner: the caller becomes an admin, and the administrator makes it owner again.
    method: 'billing.transferOwnership',
    args: (known) => [{ email: known['other email'] }],
    verb: 'POST',
    path: `${BILLING}/customer/transfer-ownership`,
    body: (known) => ({ email: known['other email'] }),
    status: 200,
    holds: (answer) => at(answer, 'message') === 'acknowledged',
  },
]
