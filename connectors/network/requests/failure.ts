import type { OutboundOutcome, OutboundReason } from './port.ts'

type OutboundFailure = Extract<OutboundOutcome, { ok: false }>

const MESSAGES: Record<OutboundReason, string> = {
  invalid: 'the request cannot be sent',
  blocked: 'the host resolves to an address that is not public',
  dns: 'the host name does not resolve to an address',
  refused: 'the connection was refused',
  unreachable: 'the host cannot be reached',
  tls: 'the TLS handshake failed',
  reset: 'the connection was closed before a response',
  too_large: 'the response headers are too large',
  oversized: 'the response body is too large',
  truncated: 'the connection was closed before the end of the response',
  protocol: 'the response is not valid HTTP',
  timeout: 'the request timed out',
  stopped: 'the request was aborted',
  failed: 'the request failed',
}

const REASONS: Record<string, OutboundReason> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  HPE_HEADER_OVERFLOW: 'too_large',
}

/** `detail`: an additional error code, when the remote side caused it. */
export const failureFor = (reason: OutboundReason, detail?: string): OutboundFailure => ({
  ok: false,
  reason,
  message: detail === undefined ? MESSAGES[reason] : `${MESSAGES[reason]}: ${detail}`,
})

/**
 * The outcome that an error of a connection stands for; `handshake`: it occurred after the connection and before TLS
 * was established.
 */
export function failureOf(error: Error, handshake: boolean): OutboundFailure {
  const { code = '' } = error as NodeJS.ErrnoException
  if (handshake) return failureFor('tls', code.slice(0, 64) || undefined)
  return failureFor(REASONS[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'failed'))
}
