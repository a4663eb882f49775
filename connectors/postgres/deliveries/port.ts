/**
 * The queue of deliveries to URLs and mailboxes of users: ends of scans to the webhooks of the scans, and alerts to the
 * destinations of their users (decisions 7, 13.3; ADR 280, 263). Times in unix milliseconds.
 */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { Receiver } from '../../../schemas/casework/deliveries/destination.ts'
import type { DeliveryKind, Verdict } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Header } from '../../../schemas/scans/webhooks/headers.ts'
import type { Destination } from '../casework/deliveries/port.ts'

/** A queue that is `holder`'s alone until the lease ends: that of a destination, or of the webhook of a scan. */
export type QueueLease = {
  /** Id of the destination, or of the only delivery. */
  queueId: string
  host: string
  /** Grows with every lease: whoever has an older number has lost it. */
  fence: number
}

/** What a delivery is sent from, by its kind. */
type Content = {
  /** The request as it was stored: every try sends these bytes. */
  scan: { url: string; headers: readonly Header[]; secret: string; body: Buffer }
  alert: {
    /** One alert, or those of a digest: all of the destination's after `after`, up to `to`. */
    carries: { alertId: string } | { after: number; to: number }
    destination: Destination
    receiver: Receiver
    /** Whose it is, as it is now, with no credential (`by`); null: the user is gone. */
    user: Identity | null
  }
}

/** A try that has begun. */
export type Begun<Kind extends DeliveryKind> = QueueLease & {
  deliveryId: string
  /** What the receiver knows a repeat by. */
  messageId: string
  /** Which try this is, from 1. */
  attempt: number
  /** When it was stored: that of a digest is when it was made. */
  createdAt: number
} & Content[Kind]

export type TakeQueues = {
  /** UUID of the process that takes. */
  holder: string
  now: number
  leaseMs: number
  /** How many at most. */
  limit: number
  /** How many of one host at most, together with those that the holder is sending to: host -> number. */
  perHost: number
  sending: Readonly<Record<string, number>>
}

/** How a try ended. `skipped`: it was not sent, and will not be. */
export type DeliveryEnd = Verdict | { state: 'skipped'; note: string }

/** Deliveries by what they tell of. */
export type DeliveryQueues = { [Kind in DeliveryKind]: DeliveryQueue<Kind> }

/** Deliveries of one kind, for those who send. */
export interface DeliveryQueue<Kind extends DeliveryKind> {
  /** Leases queues for which there may be something to do, the longest due first. No two holders get the same one. */
  take(wanted: TakeQueues): Promise<QueueLease[]>
  /**
   * Begins the next try of a leased queue. `begun` null: there is nothing to send yet, and the lease has ended, or it was
   * lost. `cutOff`: ids of deliveries that are dead now, as the process of their last try was killed.
   */
  begin(lease: QueueLease, now: number): Promise<{ begun: Begun<Kind> | null; cutOff: string[] }>
  /** Ends a try and the lease. False, and nothing is changed: the lease was lost. */
  settle(begun: Begun<Kind>, end: DeliveryEnd, now: number): Promise<boolean>
  /** Ends the lease; its try does not count. */
  release(begun: Begun<Kind>, now: number): Promise<void>
  /**
   * When a queue may be taken next, of the thousand that have been due longest: past for one that could be taken now but
   * for the room that its host has. null: nothing waits.
   */
  nextAt(): Promise<number | null>
  /** Forgets up to `limit` deliveries that ended, or would never, before `before`. Returns how many. */
  prune(before: number, limit: number): Promise<number>
  /** Deliveries that wait, counted up to `limit`, and when the oldest of them was stored. */
  backlog(limit: number): Promise<{ waiting: number; oldest: number | null }>
}
