import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import { ADDRESS } from '../../builders/accounts/team.ts'
import { newUserOf } from '../../builders/accounts/users.ts'
import { ADMINISTRATOR, type Platform } from '../../builders/platform/platform.ts'

export type Subscriber = {
  headers: Record<string, string>
  /** All that it reads with, that of its customer among them. */
  groups: readonly string[]
}

/** Headers of the owner of a customer with the largest subscription, so that each request is counted against a limit. */
export const subscriber = async (platform: Platform, roles: string[]): Promise<Record<string, string>> =>
  (await newSubscriber(platform, { roles, groups: ['public'] })).headers

/** The owner of a customer of its own with the largest subscription. */
export async function newSubscriber(
  { url, ask }: Pick<Platform, 'url' | 'ask'>,
  given: { roles: string[]; groups: string[] },
): Promise<Subscriber> {
  const { headers } = await newUserOf({ ask }, given)
  const customer = { email: 'billing@example.com', name: 'Subscribers', billingAddress: ADDRESS }
  const made = await ask('/api/billing/v1/customer', customer, headers)
  if (made.status !== 201) throw new Error(`no customer: ${made.status} ${JSON.stringify(made.body)}`)
  const id = made.body.id as string
  const subscribed = await fetch(`${url}/api/billing/v1/admin/customer/${id}/subscription`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...ADMINISTRATOR },
    body: JSON.stringify({ tier: 'Enterprise', quantity: 1 }),
  })
  if (subscribed.status !== 204) throw new Error(`no subscription: ${subscribed.status} ${await subscribed.text()}`)
  return { headers, groups: [...given.groups, customerGroup(id)] }
}
