/** Webhooks on their way to their receivers. Times in unix milliseconds. */

import type { Header } from '../../../../schemas/scans/webhooks/headers.ts'
import type { Verdict } from '../../../../schemas/scans/webhooks/schedule.ts'

export type NewDelivery = {
  /** UUID of what it tells of: the receiver knows a repeat by it. */
  id: string
  /** As `webhookUrl` gave it. */
  url: string
  /** As `webhookHeaders` gave them. */
  headers: readonly Header[]
  /** What the receiver knows as well; at most 256 characters. */
  secret: string
  /** JSON, at most 64 KiB; every try sends these bytes. */
  body: Buffer
  createdAt: number
}

/** A delivery that is `holder`'s alone until the lease ends. */
export type LeasedDelivery = Omit<NewDelivery, 'createdAt'> & {
  host: string
  /** Which try this is, from 1. */
  attempt: number
  /** Grows with every lease: whoever has an older number has lost it. */
  fence: number
}

export type DeadDelivery = {
  id: string
  url: string
  attempts: number
  error: string
  createdAt: number
  finishedAt: number
}

export type TakeDeliveries = {
  /** UUID of the process that takes. */
  holder: string
  now: number
  leaseMs: number
  /** How many at most. */
  limit: number
  /** How many of one host at most, together with those that the holder is sending: host -> number. */
  perHost: number
  sending: Readonly<Record<string, number>>
}

export interface WebhookDeliveries {
  /** Leases deliveries that are due and begins a try of each, the longest due first. No two holders get the same one. */
  take(wanted: TakeDeliveries): Promise<LeasedDelivery[]>
  /**
   * When a delivery may be taken next, as of the thousand that have been due longest: past for one that could be taken
   * now but for the room that its host has. null: none waits.
   */
  nextAt(): Promise<number | null>
  /** Ends a try. False, and nothing is changed: the lease is lost, somebody else has the delivery. */
  commitOutcome(lease: Pick<LeasedDelivery, 'id' | 'fence'>, verdict: Verdict, now: number): Promise<boolean>
  /** Gives a delivery back: its try does not count. */
  release(lease: Pick<LeasedDelivery, 'id' | 'fence'>, now: number): Promise<void>
  /** Declares dead up to `limit` deliveries whose last try has no end: its process was killed. Returns their ids. */
  markDead(now: number, limit: number): Promise<string[]>
  /** Removes up to `limit` deliveries that ended before `before`. Returns how many. */
  prune(before: number, limit: number): Promise<number>
  /** Deliveries that wait, counted up to `limit`, and when the oldest was stored. */
  backlog(limit: number): Promise<{ waiting: number; oldest: number | null }>
  /** Deliveries that were given up, the latest first. */
  dead(limit: number): Promise<DeadDelivery[]>
}
