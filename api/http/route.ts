/** The declared form of a route: router, validation and API document follow from it. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import type { Identity, Role } from '../../schemas/accounts/accounts.ts'
import type { Scope } from '../../schemas/accounts/scopes.ts'
import type { LimitKeys } from '../../schemas/accounts/tiers/tiers.ts'
import type { Action, NotAudited } from '../../schemas/audit/action.ts'
import type { FileBody, MediaBody, OwnBytes } from './answers/raw-body.ts'
import type { SocketBody, StreamBody } from './answers/stream-body.ts'
import type { Signed } from './bodies/body.ts'
import type { LineStream, LineStreamBounds } from './bodies/line-stream.ts'
import type { Lines, LinesBounds } from './bodies/lines-body.ts'
import type { ErrorCode } from './errors.ts'
import type { Examples } from './fields/examples.ts'
import type { TakenUnits } from './limits/up-to.ts'
import { wholeOf } from './middleware/bounds.ts'
import type { Whole } from './middleware/whole-routes.ts'

/**
 * Who may call.
 * `open`: credentials are not even looked at (health, documents); `anyone`: anonymous callers too, but credentials that
 * are given must be right; `authenticated`: any user; else the role that is required.
 */
export type Access = 'open' | 'anyone' | 'authenticated' | Role

/** Who the headers of a request stand for; null: nobody. Throws 401, 403 and 429. */
export type Identify = (headers: IncomingHttpHeaders, ip: string) => Promise<Identity | null>

/** Reads credentials that one route takes beside the usual ones, which `usual` reads. `params` are as they came. */
export type ReadCredentials = (
  given: { headers: IncomingHttpHeaders; params: Readonly<Record<string, string>>; ip: string },
  usual: Identify,
) => Promise<Identity | null>

/** A success that is not JSON. */
export type MediaResponse = { media: string; description: string }

/** The answer to a handshake, status 101; `description` says what the frames are. */
export type SocketResponse = { protocol: 'websocket'; description: string }

/** A schema (JSON body), null (no body), another media type, or frames. */
export type ResponseSpec = TSchema | MediaResponse | SocketResponse | null

type Write = 'post' | 'put' | 'patch' | 'delete'
type Method = 'get' | Write

/** What the audit log records of a route (decisions 16.2, ADR 278): only of a GET it may be left out, for nothing. */
type Audited = { method: 'get'; audit?: Action } | { method: Write; audit: Action | NotAudited }

type Nothing = TObject<Record<never, never>>
type UserOf<A extends Access> = A extends 'open' ? null : A extends 'anyone' ? Identity | null : Identity
type BodyOf<B> = B extends TSchema ? Static<B> : undefined
type BodyOfResponse<R> = R extends null
  ? undefined
  : R extends MediaResponse
    ? string | Buffer | OwnBytes | FileBody | StreamBody
    : R extends SocketResponse
      ? SocketBody
      : Static<R & TSchema> | MediaBody | StreamBody

/** What the caller would rather have of these, its first choice; the first of them when it does not say. */
export type Prefers = {
  /** Media types, or names of extensions. */
  type(of: readonly string[]): string
  /** Content codings, `identity` among them. */
  encoding(of: readonly string[]): string
}

/** Headers that say which version of a thing it is. */
export type Validators = { etag: string; 'last-modified': string }

/** What a handler sees of a request: checked and typed, nothing of HTTP. */
export type Request<User = Identity | null, Params = unknown, Query = unknown, Body = unknown> = {
  user: User
  /** What the caller may read; `['public']` for anonymous callers. */
  groups: readonly string[]
  params: Params
  /** Defaults filled in, numbers and booleans converted. */
  query: Query
  body: Body
  /** The body of a route that declares `signedBy`, else null. */
  signed: Signed | null
  /** The body of a route that declares `lines`, else null. */
  lines: Lines | null
  /** The body of a route that declares `lineStream`, still to be read; else null. */
  lineStream: LineStream | null
  /**
   * Takes as many units of the limit of the route as there are, up to so many; all of them where nothing is limited. The
   * request has taken its first ones by itself.
   */
  takeUpTo(units: number): Promise<TakenUnits>
  /** Address of the client, behind as many proxies as are trusted. */
  ip: string
  /** Whose work counts together: a user, or the network around the address of an anonymous caller. */
  caller: string
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  /**
   * Who the caller is now, by what the request came with, for an answer that comes long after it; null: it came with
   * nothing. Throws what its credentials throw: 401 for those that ended meanwhile, 403 for an address outside of its
   * networks, and for a key that lost the scope of the route.
   */
  again(): Promise<Identity | null>
  prefers: Prefers
  /** Whether the caller has the version of these validators, and asks on no other condition (RFC 9110 13.2.2). */
  has(version: Validators): boolean
  /** Aborts when the client goes away. Made when first read. */
  readonly signal: AbortSignal
}

export type Answer<Responses = Record<number, ResponseSpec>> = {
  [S in keyof Responses & number]: {
    status: S
    body?: BodyOfResponse<Responses[S]>
    headers?: Record<string, string>
  }
}[keyof Responses & number]

export type Declaration<
  A extends Access,
  P extends TObject,
  Q extends TObject,
  B extends TSchema | undefined,
  R extends Record<number, ResponseSpec>,
> = Audited & {
  /** As the specification writes it: `/api/billing/v1/customer/member/{userID}`. */
  path: string
  /** `operationId`: generated clients name a method after it, so a published id never changes. */
  id: string
  /** A sentence. */
  summary: string
  /** Error codes that follow neither from the rest of the declaration nor from the errors common to all routes. */
  codes?: readonly ErrorCode[]
  /** Of the API document, where those that follow from the schemas say too little. */
  examples?: Examples
  /** Group of the API document. */
  tag: string
  access: A
  /** What a narrowed key must have, whoever else may call; null: no scope, as for routes that do not look at credentials. */
  scope: Scope | null
  /** Also takes other credentials than a bearer token or a key pair in headers: Basic, and tokens of devices. */
  credentials?: ReadCredentials
  /** A check that `access` cannot express. Runs after it and before the input is validated. Throws the refusal. */
  permit?: (user: UserOf<A>) => Promise<void>
  params?: P
  /** A flat object; properties are strings, integers, numbers or booleans, with their defaults. */
  query?: Q
  /** Makes a JSON body required, unless `emptyBody` says what stands for a missing one. */
  body?: B
  emptyBody?: BodyOf<B>
  /** Optional request headers, by their names in lower case, for the API document; the handler reads them. */
  headers?: Readonly<Record<string, { description: string; example: string }>>
  /** Headers of a success by their names in lower case, each with what it says, for the API document; the handler sets them. */
  answerHeaders?: Readonly<Record<string, string>>
  /** Media type of a body of JSON, for the API document; default: `application/json`. `FORM`: the body is a form. */
  bodyMedia?: string
  /** Longest body, in bytes, where that is not the usual bound; then a process holds few of them at once. */
  bodyBytes?: number
  /** Header, in lower case, that signs the body: it is handed over as bytes and the handler checks it. */
  signedBy?: string
  /**
   * Takes lines of JSON (NDJSON) within these bounds. They are handed over as bytes, and the handler reads them: a bad one
   * refuses itself alone. Each that is not blank is a unit of `limit`; a request without one takes one.
   */
  lines?: LinesBounds
  /**
   * Takes lines of JSON within these bounds while they come. The request takes one unit of `limit`, and the handler
   * takes those of further lines. Beside `body` the media type says which of both it is, and `body` is undefined for lines.
   */
  lineStream?: LineStreamBounds
  /** What lines are answered with where `responses` says what a body is answered with. */
  streamed?: MediaResponse
  /** Every success by status; errors are the same for all and documented by themselves. */
  responses: R
  /** The keys that a request counts against, by one unit unless it has `lines` or `units`; without it the route is not limited. */
  limit?: LimitKeys
  /** How many units a body takes of `limit`. */
  units?: (body: BodyOf<B>) => number
  handler: (request: Request<UserOf<A>, Static<P>, Static<Q>, BodyOf<B>>) => Promise<Answer<R>> | Answer<R>
}

/** A declared route without its type parameters, which `route` has checked against each other. */
export type Route = {
  method: Method
  path: string
  id: string
  summary: string
  codes: readonly ErrorCode[]
  examples: Examples
  audit: Action | NotAudited | null
  tag: string
  access: Access
  scope: Scope | null
  /** Which narrowed keys are refused, by the lists beside `bounds.ts`; null: none. */
  whole: Whole | null
  credentials: ReadCredentials | null
  permit: ((user: Identity | null) => Promise<void>) | null
  params: TObject | null
  query: TObject | null
  body: TSchema | null
  emptyBody: unknown
  headers: Readonly<Record<string, { description: string; example: string }>>
  answerHeaders: Readonly<Record<string, string>>
  bodyMedia: string
  bodyBytes: number | null
  units: ((body: unknown) => number) | null
  signedBy: string | null
  lines: LinesBounds | null
  lineStream: LineStreamBounds | null
  streamed: MediaResponse | null
  responses: Record<number, ResponseSpec>
  limit: LimitKeys | null
  handler: (request: Request) => Promise<Answer> | Answer
}

/**
 * Declares a route. `params`, `query` and `body` are validated before the handler runs, after the caller was identified
 * and its role checked: a caller without permission learns nothing about its input. `limit` is taken after that.
 */
export function route<
  const A extends Access,
  const R extends Record<number, ResponseSpec>,
  P extends TObject = Nothing,
  Q extends TObject = Nothing,
  B extends TSchema | undefined = undefined,
>(declared: Declaration<A, P, Q, B, R>): Route {
  return {
    ...declared,
    codes: declared.codes ?? [],
    examples: declared.examples ?? {},
    audit: declared.audit ?? null,
    whole: wholeOf(declared),
    credentials: declared.credentials ?? null,
    // Safe, as for the handler: mount() has authorised the caller before.
    permit: (declared.permit as Route['permit'] | undefined) ?? null,
    params: declared.params ?? null,
    query: declared.query ?? null,
    body: declared.body ?? null,
    emptyBody: declared.emptyBody,
    bodyMedia: declared.bodyMedia ?? 'application/json',
    bodyBytes: declared.bodyBytes ?? null,
    // Safe, as for the handler.
    units: (declared.units as Route['units'] | undefined) ?? null,
    limit: declared.limit ?? null,
    headers: declared.headers ?? {},
    answerHeaders: declared.answerHeaders ?? {},
    signedBy: declared.signedBy ?? null,
    lines: declared.lines ?? null,
    lineStream: declared.lineStream ?? null,
    streamed: declared.streamed ?? null,
    // Safe: the caller of a handler is mount(), which validates with the very schemas the types came from.
    handler: declared.handler as unknown as Route['handler'],
  }
}

export const isMedia = (response: ResponseSpec): response is MediaResponse => response !== null && 'media' in response

export const isSocket = (response: ResponseSpec): response is SocketResponse =>
  response !== null && 'protocol' in response

/** Whether requests of the route are handshakes: what is none is answered with 426. */
export const isSocketRoute = ({ responses }: Pick<Route, 'responses'>): boolean =>
  responses[101] !== undefined && isSocket(responses[101])

/** An answer of a handler: `reply(200, body)`, `reply(204)`. */
export function reply<const S extends number, B = undefined>(status: S, body?: B, headers?: Record<string, string>) {
  return { status, ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) }
}
