/** Errors in the API document: which errors an operation answers with, and their meaning. */

import { type ErrorCode, errors } from '../http/errors.ts'
import type { Json, JsonObject } from '../http/fields/json.ts'
import { isSocketRoute, type Route } from '../http/route.ts'

/** The meaning of each code for API clients, and what a client can do about it. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'The request is not valid HTTP, or its body is incomplete.',
  malformed_json: 'The body is missing, is not UTF-8, or is not JSON.',
  invalid_parameter: 'A parameter or body field is missing, unknown or invalid; `param` names it.',
  bad_cursor: 'The cursor was changed, or belongs to another request; start again without a cursor.',
  query_too_expensive: 'The search exceeds the allowed memory, rows or clauses; narrow it.',
  retraction_pending:
    'The records of the page are in the log, but the jobs did not apply all of them in time. They are applied once the jobs run. Send the same request again: it skips what was applied by then.',
  query_timeout: 'The query timed out; narrow it, or retry after `retry-after`.',
  last_owner: 'The last owner of a customer cannot be removed or demoted; transfer the ownership first.',
  unauthorized: 'Credentials are missing, wrong, expired or not verified.',
  forbidden: 'The caller lacks the required role or membership.',
  scope_missing: 'The key pair does not have the scope of this route (`x-scope`); use one that has it.',
  network_refused: 'The key pair may only be used from its networks, and the client is in none of them.',
  not_found: 'The resource does not exist, or the caller may not read it.',
  no_results: 'No record that the caller may read matches the query.',
  method_not_allowed: 'The path does not support this method.',
  conflict: 'The current state of the resource does not allow the request.',
  in_progress: 'A request with the same `idempotency-key` is in progress; retry after `retry-after`.',
  idempotency_mismatch: 'The `idempotency-key` was used with another body within 24 hours; use another key.',
  quota_exceeded: 'The quota of the tier is used up; delete some of these resources or use a higher tier.',
  not_acceptable: 'The server supports none of the media types that `accept` names.',
  cursor_expired:
    'The cursor has expired, because later changes are no longer kept; the message describes how to start again.',
  precondition_failed: 'The caller’s current state (for example an existing membership) does not allow the request.',
  body_too_large: 'The body exceeds the maximum size.',
  upgrade_required: 'The address accepts only WebSocket handshakes of version 13.',
  range_not_satisfiable: 'The range is not within the file; ask without `range`.',
  unsupported_media_type: 'The body must be uncompressed `application/json`.',
  rate_limited:
    'The rate limit of the current window is used up, as many live streams are open as the tier allows, or there were too many attempts with a wrong secret; retry after `retry-after`. Lines of a bulk report call it `rate_limit_exceeded`.',
  feature_disabled: 'The tier of the caller does not include this feature.',
  internal: 'Internal error; find the `error_id` in the server log.',
  aggregation_failed: 'The statistics could not be computed; find the `error_id` in the server log.',
  search_failed: 'The search failed because of an internal error; find the `error_id` in the server log.',
  payment_failed: 'The payment provider cannot be reached; nothing was changed. Retry later.',
  publish_failed: 'The report may not have been stored; send it again. Duplicates do not count twice.',
  store_unavailable: 'A data store is unavailable; retry after `retry-after`.',
  log_unavailable:
    'The log is unavailable for a moment; retry after `retry-after`. What was sent may have been stored; duplicates do not count twice.',
  building: 'The feed has no list yet; retry after `retry-after`.',
  busy: 'Too many searches or feed lists are in progress; retry after `retry-after`.',
  unavailable: 'A required component is unavailable; `param` names it.',
}

/** Every code that `route` answers with, in the order of the error table. */
export function codesOf(route: Route): ErrorCode[] {
  const found = new Set<ErrorCode>(route.codes)
  const also = (...more: ErrorCode[]) => more.forEach((code) => void found.add(code))
  // Every route refuses undeclared input, may fail, and may meet an unavailable or slow store.
  also('invalid_parameter', 'internal', 'store_unavailable', 'query_timeout')
  if (found.has('publish_failed')) also('log_unavailable')
  if (route.body !== null || route.signedBy !== null || route.lines !== null || route.lineStream !== null)
    also('malformed_request', 'malformed_json', 'body_too_large', 'unsupported_media_type', 'rate_limited', 'busy')
  // A key with too many attempts of a wrong secret is refused like a caller above its limit.
  if (route.access !== 'open') also('unauthorized', 'rate_limited', 'network_refused')
  if (route.scope !== null) also('scope_missing')
  const refusesUsers = !['open', 'anyone', 'authenticated'].includes(route.access) || route.permit !== null
  if (refusesUsers || route.whole !== null) also('forbidden')
  if (isSocketRoute(route)) also('upgrade_required')
  if (route.limit !== null) also('rate_limited', 'feature_disabled')
  return (Object.keys(errors) as ErrorCode[]).filter((code) => found.has(code))
}

/** Headers with the remaining allowance of a limit. */
export const LIMIT_HEADERS: JsonObject = {
  'ratelimit-limit': header('Requests allowed in the window. Absent if there is no limit.', 'integer'),
  'ratelimit-remaining': header('Requests left in the window.', 'integer'),
  'ratelimit-reset': header('Seconds until the window ends.', 'integer'),
}

export function header(description: string, type: string): JsonObject {
  return { description, schema: { type } }
}

/** Headers by name; the document contains each once. */
export const HEADERS: JsonObject = {
  ...LIMIT_HEADERS,
  'x-error': header('The error message, in ASCII.', 'string'),
  'x-error-id': header('The `error_id` of the error body.', 'string'),
  'retry-after': header('Seconds to wait before a retry. Present if a retry can succeed.', 'integer'),
}

/** References to the headers in the document. */
export const headerRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/**
 * The error responses of an operation by status, each with its codes. Operations with the same codes for a status share
 * one response, which is added to `shared` under a name made of the codes.
 */
export function errorResponses(
  route: Route,
  codes: readonly ErrorCode[],
  shared: Record<string, JsonObject>,
): JsonObject {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  const responses = [...byStatus].map(([status, of]): [string, Json] => {
    const limited = status === 429 && route.limit !== null
    const name = [...(limited ? ['limited'] : []), ...of].join('.')
    shared[name] ??= errorResponse(of, limited)
    return [String(status), { $ref: `#/components/responses/${name}` }]
  })
  return Object.fromEntries(responses)
}

const WITH_RETRY_AFTER: readonly ErrorCode[] = [
  'rate_limited',
  'busy',
  'in_progress',
  'query_timeout',
  'store_unavailable',
  'log_unavailable',
  'building',
  'retraction_pending',
]

function errorResponse(codes: readonly ErrorCode[], limited: boolean): JsonObject {
  const waits = codes.some((code) => WITH_RETRY_AFTER.includes(code))
  return {
    description: codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join(' '),
    headers: headerRefs([
      'x-error',
      'x-error-id',
      ...(waits ? ['retry-after'] : []),
      ...(limited ? Object.keys(LIMIT_HEADERS) : []),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorAnswer' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

/** All codes as a table in Markdown. */
const errorTable = (): string =>
  [
    '| Status | `error.code` | Meaning |',
    '|---|---|---|',
    ...Object.entries(errors).map(
      ([code, { status }]) => `| ${status} | \`${code}\` | ${MEANINGS[code as ErrorCode]} |`,
    ),
  ].join('\n')

/** The body of every error. `code` is a string, not an enum, so that clients generated from an older document accept new codes. */
export const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: `The body of every error response. New codes may be added.\n\n${errorTable()}`,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'error_id'],
      properties: {
        message: { type: 'string', description: 'Human-readable; the text may change. Match on `code`.' },
        type: {
          type: 'string',
          enum: ['WARNING', 'ERROR'],
          description: 'ERROR for status 500 and above, WARNING below.',
        },
        code: {
          type: 'string',
          description: `Stable identifier of the kind of error: ${Object.keys(errors).join(', ')}.`,
        },
        error_id: {
          type: 'string',
          format: 'uuid',
          description: 'Identifies this error in the `x-error-id` header and in the server log.',
        },
        param: { type: 'string', description: 'The parameter or body field that caused the error.' },
      },
    },
  },
}

/** An example body for each code that an operation lists. */
export const errorExamples = (listed: ReadonlySet<ErrorCode>): JsonObject =>
  Object.fromEntries(
    [...listed].map((code) => {
      const { status, message } = errors[code]
      const type = status >= 500 ? 'ERROR' : 'WARNING'
      const error = { message, type, code, error_id: '01941f29-7c00-7000-8000-0000000000ee' }
      return [code, { summary: MEANINGS[code], value: { error } }]
    }),
  )
