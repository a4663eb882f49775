/** The receivers of deliveries: servers that take webhooks, chats, and mailboxes (ADR 280, 263). */

import type { Receiver } from '../../schemas/casework/deliveries/destination.ts'
import type { Message } from '../../schemas/casework/deliveries/message.ts'
import type { OutboundRequest } from '../network/requests/port.ts'

/** `reason` is one word, for metrics; `error` is for the user whose destination it is, and tells nothing of our network. */
export type Sent = { ok: true } | { ok: false; reason: string; error: string }

/**
 * Sends a message once. Never rejects because of the receiver or the way there. Ends within 10 seconds, or with the
 * reason `stopped` once `signal` aborts; a mail may arrive nevertheless.
 */
export type SendMessage = (to: Receiver, message: Message, signal?: AbortSignal) => Promise<Sent>

/** The webhook of a scan: its request as it was asked for, and what its receiver knows a repeat by. */
export type Webhook = Pick<OutboundRequest, 'url' | 'headers' | 'body'> & { messageId: string; secret: string }

/** Sends a webhook once, with the same id and body at every try and a signature of its own time; as `SendMessage` does. */
export type SendWebhook = (webhook: Webhook, signal: AbortSignal) => Promise<Sent>
