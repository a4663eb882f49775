/** One request to an address that a caller supplied. */

import type { Header } from '../../../schemas/scans/webhooks/headers.ts'

export type OutboundRequest = {
  /** http or https. Redirects are not followed. */
  url: string
  method: 'GET' | 'POST'
  headers: readonly Header[]
  body: Buffer
  /** For the whole request, including name resolution. */
  timeoutMs: number
  /** This much of the response body is read and discarded. */
  maxResponseBytes: number
  /** A success counts only once its body has ended, within `maxResponseBytes`; default: the head of a response suffices. */
  wholeResponse?: boolean
  /** Also allow addresses and names that are not public (tests). */
  allowPrivate: boolean
  /** Ends the request early. */
  signal?: AbortSignal
}

export type OutboundReason =
  /** The URL or a header cannot be sent. */
  | 'invalid'
  /** It leads to an address that is not public; no connection was made. */
  | 'blocked'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  /** The connection ended before an answer came. */
  | 'reset'
  /** The head of the answer is larger than 16 KiB. */
  | 'too_large'
  /** With `wholeResponse`: its body is larger than `maxResponseBytes`. */
  | 'oversized'
  /** With `wholeResponse`: the connection ended within its body. */
  | 'truncated'
  /** The answer is not HTTP. */
  | 'protocol'
  | 'timeout'
  /** `signal` ended it. */
  | 'stopped'
  | 'failed'

/** The message is for the caller who supplied the address: it reveals nothing about our network. */
export type OutboundOutcome = { ok: true; status: number } | { ok: false; reason: OutboundReason; message: string }

/**
 * Sends a request and resolves to its status. Never rejects because of the network or the remote side. The status
 * counts once the response head has arrived, whatever happens to the body, unless `wholeResponse` is set.
 */
export type SendOutbound = (request: OutboundRequest) => Promise<OutboundOutcome>
