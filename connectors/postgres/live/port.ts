/** Open live streams, counted over all processes, and tickets of the socket (decisions 12.3, 12.4; ADR 271). */

import type { TicketCaller } from '../../../schemas/accounts/ticket-caller.ts'
import type { Subject } from '../accounts/plan/port.ts'
import type { Credential } from '../accounts/users/port.ts'

/** A place that a stream of this process holds. */
export type HeldPlace = {
  /** Aborted when the place is lost, to another process or with its subject: the stream has to end. */
  lost: AbortSignal
  /** For the end of the stream; a second call does nothing. A place that cannot be given back ends with its lease. */
  giveBack(): Promise<void>
}

/** The places as one process uses them, which renews what it holds. */
export interface OpenStreams {
  /** null: all `most` places of the subject are taken. Rejects when the store cannot say. */
  take(subject: Subject, most: number): Promise<HeldPlace | null>
  /** How many streams of the subject are open in all processes. `now` in unix milliseconds. */
  open(subject: Subject, now: number): Promise<number>
}

/** `ticketHash`: SHA-256 of the ticket; the ticket itself is stored nowhere. `expiresAt` in unix milliseconds. */
export type LiveTicket = { ticketHash: Buffer; caller: TicketCaller; expiresAt: number }

export interface LiveTickets {
  /** False: the user of the caller is gone. */
  issue(ticket: LiveTicket): Promise<boolean>
  /**
   * Who asked for the ticket, once, and when it would have ended: whoever redeems it again, also at the same moment, gets
   * null. null as well for a ticket that is unknown or has ended. `now` in unix milliseconds. The caller's rights are not
   * looked at.
   */
  redeem(ticketHash: Buffer, now: number): Promise<Pick<LiveTicket, 'caller' | 'expiresAt'> | null>
  /**
   * The credential of a caller as it is now, ended, unverified and disabled ones too; null: it, or its user, is gone.
   * The administrator of the configuration and anonymous callers have none.
   */
  credential(caller: TicketCaller): Promise<Credential | null>
  /** Removes tickets that ended before a time (unix milliseconds), at most a few thousand; returns how many. */
  sweep(before: number): Promise<number>
}

/** What the API needs of live streams. */
export type Live = { streams: OpenStreams; tickets: Pick<LiveTickets, 'issue' | 'redeem' | 'credential'> }
