/** Who asked for a ticket of the live socket, in what is needed to find out who that is now (decisions 12.3; ADR 271). */

import type { Identity } from './accounts.ts'

/** `id`: of the session or the key pair. The administrator of the configuration has neither a row nor a credential. */
export type TicketCaller =
  | { kind: 'session' | 'key pair'; userId: string; id: string }
  | { kind: 'administrator' }
  | { kind: 'anonymous' }

/** Of a caller whose credentials were accepted; null for a download token, which reads one feed and gets no ticket. */
export function ticketCaller(user: Identity | null): TicketCaller | null {
  if (user === null) return { kind: 'anonymous' }
  if (user.by === null) return { kind: 'administrator' }
  const { kind, id } = user.by
  return kind === 'download token' ? null : { kind, userId: user.userId, id }
}
