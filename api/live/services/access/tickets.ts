import type { LiveTickets } from '../../../../connectors/postgres/live/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { secretHash } from '../../../../schemas/accounts/credentials.ts'
import { type TicketCaller, ticketCaller } from '../../../../schemas/accounts/ticket-caller.ts'
import { ApiError } from '../../../http/errors.ts'
import { acceptCredential, BUILT_IN_ADMINISTRATOR } from '../../../http/middleware/identity.ts'

/** How long a ticket is good, in milliseconds (decisions-2 12.3). */
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

/** Tickets of the compatible socket: each good once, for its caller as it is when it comes (decisions-2 12.3). */
export function ticketService({ tickets, hasAdministrator, newTicket, now }: TicketPorts) {
  /** Throws 401 when the credentials that the ticket was asked for with do not hold any more. */
  async function callerNow(caller: TicketCaller): Promise<Identity | null> {
    if (caller.kind === 'anonymous') return null
    if (caller.kind !== 'administrator') return acceptCredential(await tickets.credential(caller), now())
    if (hasAdministrator) return BUILT_IN_ADMINISTRATOR
    throw new ApiError('unauthorized')
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
    /** Throws 401 for a ticket that is unknown, used or expired, or whose caller does not hold any more. */
    async redeem(ticket: string): Promise<TicketHolder> {
      const caller = await tickets.redeem(secretHash(ticket), now())
      if (caller === null) throw new ApiError('unauthorized', { message: 'the ticket is unknown, used or expired' })
      return { user: await callerNow(caller), again: () => callerNow(caller) }
    },
  }
}

export type TicketService = ReturnType<typeof ticketService>
