import type { OutboundOutcome, OutboundReason } from './port.ts'

type Failed = Extract<OutboundOutcome, { ok: false }>

const MESSAGES: Record<OutboundReason, string> = {
  invalid: 'the request cannot be sent',
  blocked: 'the host leads to an address that is not public',
  dns: 'the name of the host has no address',
  refused: 'the connection was refused',
  unreachable: 'the host cannot be reached',
  tls: 'no secure connection could be made',
  reset: 'the connection ended before an answer came',
  too_large: 'the head of the answer is too large',
  protocol: 'the answer is not HTTP',
  timeout: 'no answer came in time',
  stopped: 'the request was cut off',
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

/** `detail`: a code that says more, if it is the other side's doing. */
export const failed = (reason: OutboundReason, detail?: string): Failed => ({
  ok: false,
  reason,
  message: detail === undefined ? MESSAGES[reason] : `${MESSAGES[reason]}: ${detail}`,
})

/** What an error of a connection means; `handshake`: it came after the connection and before it was secure. */
export function failureOf(error: Error, handshake: boolean): Failed {
  const { code = '' } = error as NodeJS.ErrnoException
  if (handshake) return failed('tls', code.slice(0, 64) || undefined)
  return failed(REASONS[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'failed'))
}
