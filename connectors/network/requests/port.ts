/** One request to an address that somebody else named. */

import type { Header } from '../../../schemas/scans/webhooks/headers.ts'

export type OutboundRequest = {
  /** http or https. Redirects are not followed. */
  url: string
  method: 'GET' | 'POST'
  headers: readonly Header[]
  body: Buffer
  /** For all of it, from the look-up of the name on. */
  timeoutMs: number
  /** How much of the body of an answer is read, and dropped. */
  maxResponseBytes: number
  /** Also to addresses and names that are not public (tests). */
  allowPrivate: boolean
  /** Ends the request early. */
  signal?: AbortSignal
}

export type OutboundReason =
  /** The URL or a header cannot be sent. */
  | 'invalid'
  /** It leads to an address that is not public. Nothing was connected to. */
  | 'blocked'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  /** The connection ended before an answer came. */
  | 'reset'
  /** The head of the answer is larger than 16 KiB. */
  | 'too_large'
  /** The answer is not HTTP. */
  | 'protocol'
  | 'timeout'
  /** `signal` ended it. */
  | 'stopped'
  | 'failed'

/** The message is for whoever named the address: it tells nothing about our network. */
export type OutboundOutcome = { ok: true; status: number } | { ok: false; reason: OutboundReason; message: string }

/**
 * Sends a request and answers its status. Never rejects because of the network or of what the other side does. Whatever
 * the body does, the status counts once the head of the answer is here.
 */
export type SendOutbound = (request: OutboundRequest) => Promise<OutboundOutcome>
