/** Events of accounts as they cross the log (specification 6, decisions 8.1, 8.2). */

import type { LIFECYCLE_GROUPS } from '../log/topics.ts'
import type { SubscriptionChange } from './subscription.ts'
import type { MemberRole } from './team.ts'

/** Who acts on events, each as a consumer group of its own. */
export type LifecycleGroup = (typeof LIFECYCLE_GROUPS)[number]

/** `userID` is null for actors that are not users: the payment provider, the platform itself. */
export type Actor = { userID: string | null; kind: 'self' | 'admin' | 'owner' | 'provider' | 'system' }

/** Why something changes: the id of its event (UUID), who did it, and when (unix milliseconds). */
export type Cause = { id: string; actor: Actor; now: number }

export const CUSTOMER_ENDS = ['owner', 'admin', 'last_owner'] as const
/** Who ended a customer: an owner, an administrator by force, or the deletion of its last owner. */
export type CustomerEnd = (typeof CUSTOMER_ENDS)[number]

/** A membership as it was when its user was deleted. */
export type FormerMembership = { customerID: string; role: MemberRole }

/** What each type of event says beside whom it is about. */
type LifecycleData = {
  'user.deleted': { memberships: FormerMembership[] }
  'user.disabled': Record<string, never>
  'customer.deleted': { reason: CustomerEnd }
  'subscription.changed': SubscriptionChange
  'subscription.cancelled': SubscriptionChange
}

export type LifecycleType = keyof LifecycleData

export type LifecycleEvent<T extends LifecycleType = LifecycleType> = {
  [K in T]: {
    /** UUID; the same on every delivery, so that a handler knows what it has done already. */
    id: string
    type: K
    /** Unix milliseconds. */
    time: number
    actor: Actor
    subject: { userID: string | null; customerID: string | null }
    data: LifecycleData[K]
  }
}[T]

/** The event as its Avro schema has it. */
export type LifecycleRecord = Omit<LifecycleEvent, 'type' | 'data'> & { type: string; data: string }

export const lifecycleRecord = (event: LifecycleEvent): LifecycleRecord => ({
  ...event,
  data: JSON.stringify(event.data),
})

/** Events of one customer, or of one user without a customer, stay in order. Throws when the subject names neither. */
export function lifecycleKey({ id, subject }: LifecycleEvent): string {
  const key = subject.customerID ?? subject.userID
  if (key === null) throw new Error(`the event ${id} names neither a user nor a customer`)
  return key
}
