/** The receivers of alerts: servers that take webhooks, chats, and mailboxes (ADR 216). */

import type { Receiver } from '../../schemas/casework/deliveries/destination.ts'
import type { Message } from '../../schemas/casework/deliveries/message.ts'

/** `reason` is one word, for metrics; `error` is for the user whose destination it is, and tells nothing of our network. */
export type Sent = { ok: true } | { ok: false; reason: string; error: string }

/**
 * Sends a message once. Never rejects because of the receiver or the way there. Ends within 10 seconds, or with the
 * reason `stopped` once `signal` aborts; a mail may arrive nevertheless.
 */
export type SendMessage = (to: Receiver, message: Message, signal?: AbortSignal) => Promise<Sent>
