/** Casework of deleted users and of customers that end (specification 6). A subscription deletes none of it. */

import type { LifecycleEvent } from '../../../../schemas/accounts/lifecycle.ts'
import type { Handler } from './handler.ts'

export type CaseworkAction =
  | { does: 'delete of user'; customerId: string; userId: string }
  | { does: 'delete of customer'; customerId: string }

/** `customers`: those in which the user of the event has casework when the event is handled. */
export function caseworkActions(event: LifecycleEvent, customers: readonly string[]): CaseworkAction[] {
  if (event.type === 'customer.deleted') return [{ does: 'delete of customer', customerId: event.subject.customerID! }]
  if (event.type !== 'user.deleted') return []
  const members = event.data.memberships.map(({ customerID }) => customerID)
  const userId = event.subject.userID!
  return [...new Set([...members, ...customers])]
    .sort()
    .map((customerId) => ({ does: 'delete of user', customerId, userId }))
}

export const caseworkHandler: Handler = {
  name: 'casework',
  async apply(event, { casework, facts }) {
    const customers = event.type === 'user.deleted' ? await facts.caseworkCustomers(event.subject.userID!) : []
    for (const action of caseworkActions(event, customers)) {
      if (action.does === 'delete of user') await casework.deleteOfUser(action.customerId, action.userId)
      else await casework.deleteOfCustomer(action.customerId)
    }
    return undefined
  },
}
