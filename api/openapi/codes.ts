/** Errors in the document: which an operation answers with, and what each of them means. */

import { type ErrorCode, errors } from '../http/errors.ts'
import type { Route } from '../http/route.ts'
import type { Json, JsonObject } from './json.ts'
import { MEANINGS } from './meanings.ts'
import type { Reference } from './reference/reference.ts'

/** Every code that `route` answers with, in the order of their table. */
export function codesOf(route: Route, { codes = [] }: Pick<Reference, 'codes'>): ErrorCode[] {
  const found = new Set<ErrorCode>(codes)
  const also = (...more: ErrorCode[]) => more.forEach((code) => void found.add(code))
  // Of every route: what is not declared is refused, anything may break, and any store may be away or slow.
  also('invalid_parameter', 'internal', 'store_unavailable', 'query_timeout')
  if (route.body !== null || route.signedBy !== null)
    also('malformed_request', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  // A key whose secret was guessed too often is refused as a caller above its limit is.
  if (route.access !== 'open') also('unauthorized', 'rate_limited')
  if (!['open', 'anyone', 'authenticated'].includes(route.access) || route.permit !== null) also('forbidden')
  if (route.limit !== null) also('rate_limited', 'feature_disabled')
  return (Object.keys(errors) as ErrorCode[]).filter((code) => found.has(code))
}

/** Headers that tell how much of a limit is left. */
export const LIMIT_HEADERS: JsonObject = {
  'ratelimit-limit': header('Requests of the window. Not sent where there is no limit.', 'integer'),
  'ratelimit-remaining': header('How many of them are left.', 'integer'),
  'ratelimit-reset': header('Seconds until the window ends.', 'integer'),
}

function header(description: string, type: string): JsonObject {
  return { description, schema: { type } }
}

/** Headers by name, kept once in the document. */
export const HEADERS: JsonObject = {
  ...LIMIT_HEADERS,
  'x-error': header('The message, in ASCII.', 'string'),
  'x-error-id': header('The `error_id` of the body.', 'string'),
  'retry-after': header('Seconds after which to ask again, where that helps.', 'integer'),
}

/** References to headers of the document. */
export const headerRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/**
 * The answers of an operation by status, each with its codes. Operations that share a status and its codes share the
 * answer, which is added to `shared` under a name made of them.
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

function errorResponse(codes: readonly ErrorCode[], limited: boolean): JsonObject {
  const waits = codes.some((code) => ['rate_limited', 'busy', 'query_timeout', 'store_unavailable'].includes(code))
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

/** The body of every error. `code` is text, not an enum: a client that was generated before a code came still reads it. */
export const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: `Every error of every operation. More codes may come.\n\n${errorTable()}`,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'error_id'],
      properties: {
        message: { type: 'string', description: 'For people; it may change.' },
        type: { type: 'string', enum: ['WARNING', 'ERROR'], description: 'ERROR from status 500 on.' },
        code: { type: 'string', description: `A stable word: ${Object.keys(errors).join(', ')}.` },
        error_id: { type: 'string', format: 'uuid', description: 'Also in the x-error-id header and in the log.' },
        param: { type: 'string', description: 'The parameter or body field at fault.' },
      },
    },
  },
}

/** A body for each code that an operation lists. */
export const errorExamples = (listed: ReadonlySet<ErrorCode>): JsonObject =>
  Object.fromEntries(
    [...listed].map((code) => {
      const { status, message } = errors[code]
      const type = status >= 500 ? 'ERROR' : 'WARNING'
      const error = { message, type, code, error_id: '01941f29-7c00-7000-8000-0000000000ee' }
      return [code, { summary: MEANINGS[code], value: { error } }]
    }),
  )
