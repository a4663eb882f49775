import { ADDRESS } from '../../builders/accounts/team.ts'
import { newUserOf } from '../../builders/accounts/users.ts'
import { ADMINISTRATOR, type Platform } from '../../builders/platform/platform.ts'

/** Headers of the owner of a customer with the largest subscription, so that each request is counted against a limit. */
export async function subscriber(platform: Platform, roles: string[]): Promise<Record<string, string>> {
  const { headers } = await newUserOf(platform, { roles, groups: ['public'] })
  const customer = { email: 'billing@example.com', name: 'Subscribers', billingAddress: ADDRESS }
  const made = await platform.ask('/api/billing/v1/customer', customer, headers)
  if (made.status !== 201) throw new Error(`no customer: ${made.status} ${JSON.stringify(made.body)}`)
  const subscribed = await fetch(`${platform.url}/api/billing/v1/admin/customer/${made.body.id}/subscription`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...ADMINISTRATOR },
    body: JSON.stringify({ tier: 'Enterprise', quantity: 1 }),
  })
  if (subscribed.status !== 204) throw new Error(`no subscription: ${subscribed.status} ${await subscribed.text()}`)
  return headers
}
