/** Instances of deleted and disabled users, and of customers that end or pay for fewer (specification 6). */

import type { ComputeCleanup, InstanceDriver } from '../../../../connectors/postgres/accounts/instances/port.ts'
import type { AssetFacts } from '../../../../connectors/postgres/lifecycle/port.ts'
import type { LifecycleEvent } from '../../../../schemas/accounts/lifecycle.ts'
import type { Handler } from './handler.ts'

export type ComputeAction =
  | { does: 'delete of user'; customerId: string; userId: string }
  | { does: 'delete of customer'; customerId: string }
  | { does: 'stop running'; userId: string }
  | { does: 'shrink'; customerId: string; cap: number }

/** What is true when the event is handled. */
export type ComputeFacts = {
  /** Customers in which the user of the event has instances. */
  customers: readonly string[]
  /** What the customer of the event may have now, -1 without bound; null: there is no such customer. */
  cap: number | null
}

const UNLIMITED = -1
const size = (cap: number): number => (cap === UNLIMITED ? Number.POSITIVE_INFINITY : cap)

/**
 * What is to be done, in order. A smaller subscription takes only what is above its cap, and above what a later one
 * allows again (ADR 277). Instances of a user are its own wherever it was a member.
 */
export function computeActions(event: LifecycleEvent, facts: ComputeFacts): ComputeAction[] {
  const userId = event.subject.userID!
  const customerId = event.subject.customerID!
  switch (event.type) {
    case 'user.deleted': {
      const members = event.data.memberships.map(({ customerID }) => customerID)
      const customers = [...new Set([...members, ...facts.customers])].sort()
      return customers.map((id) => ({ does: 'delete of user', customerId: id, userId }))
    }
    case 'user.disabled':
      return [{ does: 'stop running', userId }]
    case 'customer.deleted':
    case 'subscription.cancelled':
      return [{ does: 'delete of customer', customerId }]
    case 'subscription.changed': {
      const { effective, oldEffective } = event.data
      const smaller = size(effective.max_instances) < size(oldEffective.max_instances)
      if (!smaller || facts.cap === null) return []
      const cap = Math.max(size(effective.max_instances), size(facts.cap))
      return cap === Number.POSITIVE_INFINITY ? [] : [{ does: 'shrink', customerId, cap }]
    }
  }
}

/** The driver releases the resources of deleted instances once they are invisible. */
export const computeHandler = (driver: Pick<InstanceDriver, 'delete'>): Handler => ({
  name: 'compute',
  async apply(event, { compute, facts }) {
    const gone: string[] = []
    for (const action of computeActions(event, await factsOf(event, facts)))
      gone.push(...(await carryOut(compute, action)))
    return gone.length === 0 ? undefined : () => driver.delete(gone)
  },
})

/** Ids of the instances that were deleted. */
async function carryOut(compute: ComputeCleanup, action: ComputeAction): Promise<string[]> {
  switch (action.does) {
    case 'delete of user':
      return compute.deleteOfUser(action.customerId, action.userId)
    case 'delete of customer':
      return compute.deleteOfCustomer(action.customerId)
    case 'shrink':
      return compute.shrinkTo(action.customerId, action.cap)
    case 'stop running':
      await compute.stopRunningOf(action.userId)
      return []
  }
}

async function factsOf({ type, subject }: LifecycleEvent, facts: AssetFacts): Promise<ComputeFacts> {
  return {
    customers: type === 'user.deleted' ? await facts.instanceCustomers(subject.userID!) : [],
    cap: type === 'subscription.changed' ? await facts.instanceCap(subject.customerID!) : null,
  }
}
