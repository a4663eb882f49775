/**
 * Destinations of alerts, which one analyst owns inside of one customer, and what is on its way to them (decisions 13.3;
 * ADR 280). Times in unix milliseconds.
 */

import type { DestinationKind, Digest, Receiver } from '../../../../schemas/casework/deliveries/destination.ts'
import type { Owner } from '../../../../schemas/casework/owner.ts'

export type Destination = {
  /** UUID. */
  id: string
  owner: Owner
  name: string
  kind: DestinationKind
  /** null for mail. */
  url: string | null
  /** null for the others. */
  email: string | null
  /** Ids of watchlists of the owner; null: all that there are and will be. */
  watchlists: readonly string[] | null
  digest: Digest
  publicOnly: boolean
  /** Of mail: when the address was confirmed; null: not yet. */
  confirmedAt: number | null
  createdAt: number
  updatedAt: number
}

export type NewDestination = Destination & { secret: string }

/** What is not named stays. Another address is not confirmed. */
export type DestinationChange = {
  name?: string
  url?: string
  email?: string
  watchlists?: readonly string[] | null
  digest?: Digest
  publicOnly?: boolean
  at: number
}

/** `pending`: not begun; `retrying`: begun, and not ended; `skipped`: its user may not be told, or it is not public. */
export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'dead' | 'skipped'

/** The way of one alert to one destination; of an alert in a digest, that of the digest. */
export type Delivery = {
  id: string
  alertId: string
  state: DeliveryState
  attempts: number
  /** null: it has ended. */
  nextAt: number | null
  lastError: string | null
  note: string | null
  /** `webhook-id` of the digest that carries it; null: it goes by itself. */
  digestId: string | null
  createdAt: number
}

export interface Destinations {
  /**
   * `full`: the owner has as many as its tier allows one user, exact under concurrency. `no member`: the membership is
   * gone. `no watchlist`: one of those named is not the owner's.
   */
  create(destination: NewDestination): Promise<'created' | 'full' | 'no member' | 'no watchlist'>
  /** Oldest first, at most 1,000. */
  list(owner: Owner): Promise<Destination[]>
  destination(owner: Owner, id: string): Promise<Destination | null>
  /** The destination after the change; null: there is none. */
  change(owner: Owner, id: string, change: DestinationChange): Promise<Destination | 'no watchlist' | null>
  /** With its deliveries. False: there is none. */
  remove(owner: Owner, id: string): Promise<boolean>
  /** False: there is no such destination. */
  setSecret(owner: Owner, id: string, secret: string, at: number): Promise<boolean>
  /** Notes the code that was mailed last: no other confirms it. */
  setCode(owner: Owner, id: string, codeId: string): Promise<void>
  /** null: no code was mailed, or the address is confirmed. */
  codeOf(owner: Owner, id: string): Promise<string | null>
  /** What a test is sent to. `too soon`: there was one within `pauseMs`. */
  beginTest(owner: Owner, id: string, at: { now: number; pauseMs: number }): Promise<Receiver | 'too soon' | null>
  /**
   * Newest first; `next`: after which the next page begins, null: this is the last. `onlyPublic`: those of alerts as
   * everybody reads them. null: no such destination.
   */
  deliveries(
    owner: Owner,
    id: string,
    page: { after: string | null; limit: number; onlyPublic?: boolean },
  ): Promise<{ deliveries: Delivery[]; next: string | null } | null>
  /**
   * Tries a delivery at once, one that is dead or skipped by its whole schedule again. null: the owner has no such
   * delivery. `delivered`, `untried`, `not public`: nothing is changed; the last one where `onlyPublic` is asked for, and
   * the destination is told more than that.
   */
  retry(
    owner: Owner,
    deliveryId: string,
    now: number,
    onlyPublic?: boolean,
  ): Promise<'retried' | 'delivered' | 'untried' | 'not public' | null>
}

/** What a delivery carries to which destination: one alert, or those of a digest. */
export type Carried = {
  carries: { alertId: string } | { after: number; to: number }
  destination: Pick<Destination, 'id' | 'publicOnly'>
}

/** An alert as it is stored, with the name of its watchlist. */
export type StoredAlert = {
  id: string
  owner: Owner
  watchlistId: string
  itemId: string
  entityId: string
  entityType: string
  entityValue: string
  reputation: number
  matchedKind: string
  matchedOn: string
  count: number
  createdAt: number
  lastAt: number
  withdrawnAt: number | null
}

export interface DeliveredAlerts {
  /**
   * The first that the try carries, in order, as far as somebody in these groups may read them; to a destination for what
   * is public, as everybody reads them.
   */
  alerts(carried: Carried, groups: readonly string[], limit: number): Promise<StoredAlert[]>
  /** How many of these there are. */
  countAlerts(carried: Carried, groups: readonly string[]): Promise<number>
}
