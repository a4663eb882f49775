/** Every error that the API answers with, in one table (decisions 1.3). */

import { LogUnavailable, StoreSlow, StoreUnavailable } from '../../connectors/availability/port.ts'

export const errors = {
  malformed_request: { status: 400, message: 'the request is malformed' },
  malformed_json: { status: 400, message: 'the body is not valid JSON' },
  invalid_parameter: { status: 400, message: 'invalid parameter' },
  bad_cursor: { status: 400, message: 'the cursor is not valid for this request' },
  query_too_expensive: { status: 400, message: 'the query is too large or needs too much memory; narrow it' },
  last_owner: { status: 400, message: 'the last owner of a customer cannot be removed or demoted' },
  unauthorized: { status: 401, message: 'missing or invalid credentials' },
  forbidden: { status: 403, message: 'the caller lacks permission' },
  scope_missing: { status: 403, message: 'the key pair lacks the scope of this route' },
  network_refused: { status: 403, message: 'the key pair may not be used from this address' },
  not_found: { status: 404, message: 'not found' },
  no_results: { status: 404, message: 'no results match the query' },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  not_acceptable: { status: 406, message: 'the server supports no media type that accept names' },
  conflict: { status: 409, message: 'conflict' },
  in_progress: { status: 409, message: 'a request with the same idempotency-key is in progress' },
  idempotency_mismatch: { status: 409, message: 'the idempotency-key was used with another body' },
  quota_exceeded: { status: 409, message: 'quota exceeded' },
  cursor_expired: { status: 410, message: 'the cursor has expired' },
  precondition_failed: { status: 412, message: 'precondition failed' },
  body_too_large: { status: 413, message: 'the body is too large' },
  upgrade_required: { status: 426, message: 'this address accepts only WebSocket handshakes of version 13' },
  range_not_satisfiable: { status: 416, message: 'the range is not within the file' },
  unsupported_media_type: { status: 415, message: 'content-type must be application/json' },
  rate_limited: { status: 429, message: 'rate limit exceeded' },
  feature_disabled: { status: 429, message: 'rate limit exceeded' },
  internal: { status: 500, message: 'internal error' },
  aggregation_failed: { status: 500, message: 'aggregation failed' },
  search_failed: { status: 500, message: 'search failed' },
  payment_failed: { status: 500, message: 'the payment provider cannot be reached' },
  publish_failed: { status: 500, message: 'publish failed' },
  store_unavailable: { status: 500, message: 'a data store is unavailable; retry in a moment' },
  log_unavailable: { status: 503, message: 'the log is unavailable; retry in a moment' },
  building: { status: 503, message: 'the list of the feed is being built; retry in a moment' },
  retraction_pending: {
    status: 503,
    message: 'not all retractions have been applied yet; check that the jobs run, then send the same request again',
  },
  busy: { status: 503, message: 'too many such requests are in progress; retry in a moment' },
  query_timeout: { status: 503, message: 'the query timed out; narrow it or retry in a moment' },
  unavailable: { status: 503, message: 'not ready' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/**
 * Details of an error besides its code. `param` names the parameter or body field that caused it. `retryAfter`: in how many
 * whole seconds the same request may do better; the default is that of the code.
 */
type Details = { message?: string; param?: string; retryAfter?: number }

/**
 * An error response. The message of the table is the default. From status 500 on it is always used: the internal cause
 * belongs in the log (`cause`), not in the response.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly param: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, details: Details = {}, options?: { cause?: unknown }) {
    const { status, message } = errors[code]
    super(status >= 500 ? message : (details.message ?? message), options)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.param = details.param
    this.retryAfter = details.retryAfter
  }
}

/** A 400 that names the parameter and the fault: `days: must be <= 365`. */
export const invalid = (param: string, message: string): ApiError =>
  new ApiError('invalid_parameter', { message: `${param}: ${message}`, param })

/** Longest message in characters. A message may quote input of the caller, and must fit into a header. */
const MAX_MESSAGE = 500

const clip = (text: string): string => {
  const clean = text.toWellFormed()
  return clean.length <= MAX_MESSAGE ? clean : `${clean.slice(0, MAX_MESSAGE).toWellFormed()}...`
}

/** The text as a header value: Node refuses line ends and characters outside Latin-1, which would end in a 500. */
export const headerSafe = (text: string): string => clip(text).replace(/[^\x20-\x7e]/gu, '?')

/** Body of every error of every route. `id` is a UUID, the same as in `x-error-id` and in the log line. */
export const errorBody = (error: ApiError, id: string) => ({
  error: {
    message: clip(error.message),
    type: error.status >= 500 ? 'ERROR' : 'WARNING',
    code: error.code,
    error_id: id,
    ...(error.param === undefined ? {} : { param: clip(error.param) }),
  },
})

/** An error as a line of an answer carries it: the same code, message and param as in a body. */
export const lineError = ({ code, message, param }: ApiError) => ({
  code,
  message: clip(message),
  ...(param === undefined ? {} : { param: clip(param) }),
})

/** The table's error for any thrown value: refusals of koa keep their status, everything else becomes `internal`. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof LogUnavailable) return new ApiError('log_unavailable', {}, { cause: thrown })
  if (thrown instanceof StoreUnavailable) return new ApiError('store_unavailable', {}, { cause: thrown })
  if (thrown instanceof StoreSlow) return new ApiError('query_timeout', {}, { cause: thrown })
  const status = (thrown as { status?: unknown } | null)?.status
  if (typeof status !== 'number' || status < 400 || status >= 500)
    return new ApiError('internal', {}, { cause: thrown })
  return fromStatus(status, thrown)
}

const OWN = [ApiError, StoreUnavailable, StoreSlow]

/** The error for a failed call to a store: `code`, or the error for an unavailable or slow store (specification 7.2, ADR 281). */
export const failure = (code: ErrorCode, cause: unknown): ApiError =>
  OWN.some((kind) => cause instanceof kind) ? asApiError(cause) : new ApiError(code, {}, { cause })

/** The error for a bare status, as the router sets it for unknown paths and methods. */
export function fromStatus(status: number, cause?: unknown): ApiError {
  if (status === 404) return new ApiError('not_found', {}, { cause })
  if (status === 405 || status === 501) return new ApiError('method_not_allowed', {}, { cause })
  return new ApiError('malformed_request', {}, { cause })
}
