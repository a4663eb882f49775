import type { LiveTickets } from '../../../connectors/postgres/live/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { secretHash } from '../../../schemas/accounts/credentials.ts'
import { type TicketCaller, ticketCaller } from '../../../schemas/accounts/ticket-caller.ts'
import { ApiError } from '../../http/errors.ts'
import { checkScope } from '../../http/middleware/bounds.ts'
import { acceptCredential, BUILT_IN_ADMINISTRATOR } from '../../http/middleware/identity.ts'

/** How long a ticket is good, in milliseconds (decisions 12.3). */
const TICKET_MS = 30_000

export type TicketPorts = {
  tickets: Pick<LiveTickets, 'issue' | 'redeem' | 'credential'>
  /** Whether the configuration has an administrator. */
  hasAdministrator: boolean
  /** Random text that nobody can guess. */
  newTicket: () => string
  /** Unix milliseconds. */
  now: () => number
}

/** Who came with a ticket, and who that is later. */
export type TicketHolder = { user: Identity | null; again: () => Promise<Identity | null> }

/** Tickets of the compatible socket: each good once, for its caller as it is when it comes (decisions 12.3). */
export function ticketService({ tickets, hasAdministrator, newTicket, now }: TicketPorts) {
  /**
   * Throws 401 when the credentials that the ticket was asked for with do not hold any more, 403 when their key may not be
   * used from the address, or for reading. A ticket from before the end of an old secret may have come with that one.
   */
  async function callerNow(caller: TicketCaller, issuedAt: number, ip: string): Promise<Identity | null> {
    if (caller.kind === 'anonymous') return null
    if (caller.kind === 'administrator') {
      if (hasAdministrator) return BUILT_IN_ADMINISTRATOR
      throw new ApiError('unauthorized')
    }
    const credential = await tickets.credential(caller)
    const oldUntil = credential?.previous?.until ?? -Infinity
    if (issuedAt < oldUntil && oldUntil <= now()) throw new ApiError('unauthorized')
    const user = acceptCredential(credential, now(), ip)
    checkScope(user, 'read')
    return user
  }

  return {
    /** Throws 403 for a caller that reads one feed alone, and 401 for a user that is gone. */
    async issue(user: Identity | null): Promise<{ ticket: string; expiresAt: number }> {
      const caller = ticketCaller(user)
      if (caller === null) throw new ApiError('forbidden')
      const ticket = newTicket()
      const expiresAt = now() + TICKET_MS
      const issued = await tickets.issue({ ticketHash: secretHash(ticket), caller, expiresAt })
      if (!issued) throw new ApiError('unauthorized')
      return { ticket, expiresAt }
    },
    /**
     * `ip`: where the socket is opened from. Throws 401 for a ticket that is unknown, used or expired, or whose caller does
     * not hold any more, 403 for a narrowed key that may not.
     */
    async redeem(ticket: string, ip: string): Promise<TicketHolder> {
      const found = await tickets.redeem(secretHash(ticket), now())
      if (found === null) throw new ApiError('unauthorized', { message: 'the ticket is unknown, used or expired' })
      const again = () => callerNow(found.caller, found.expiresAt - TICKET_MS, ip)
      return { user: await again(), again }
    },
  }
}

export type TicketService = ReturnType<typeof ticketService>
