/** Events of accounts as they cross the log (specification 6, decisions 8.1 and 8.2). */

import type { SubscriptionChange } from './subscription.ts'

/** `userID` is null for whoever is no user of ours: the payment provider, the platform itself. */
export type Actor = { userID: string | null; kind: 'self' | 'admin' | 'owner' | 'provider' | 'system' }

/** What each type of event says beside whom it is about. */
type LifecycleData = {
  'subscription.changed': SubscriptionChange
  'subscription.cancelled': SubscriptionChange
}

export type LifecycleType = keyof LifecycleData

export type LifecycleEvent<T extends LifecycleType = LifecycleType> = {
  /** UUID; the same on every delivery, so that a handler knows what it has done already. */
  id: string
  type: T
  /** Unix milliseconds. */
  time: number
  actor: Actor
  subject: { userID: string | null; customerID: string | null }
  data: LifecycleData[T]
}

/** The event as its Avro schema has it. */
type LifecycleRecord = Omit<LifecycleEvent, 'type' | 'data'> & { type: string; data: string }

export const lifecycleRecord = (event: LifecycleEvent): LifecycleRecord => ({
  ...event,
  data: JSON.stringify(event.data),
})

/** Events of one customer, or of one user without a customer, stay in order. Throws when the subject names neither. */
export function lifecycleKey({ id, subject }: LifecycleEvent): string {
  const key = subject.customerID ?? subject.userID
  if (key === null) throw new Error(`the event ${id} is about nobody`)
  return key
}
