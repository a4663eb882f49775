/** A request as its handler sees it. Of one kind for all routes: what few of them ask for is made when it is read. */

import type { Context } from 'koa'
import type { Identity } from '../../schemas/accounts/accounts.ts'
import { PUBLIC } from '../../schemas/intelligence/observations/audience.ts'
import { knownBlock } from './addresses/known-addresses.ts'
import type { Sender } from './bodies/body-room.ts'
import type { LineStream } from './bodies/line-stream.ts'
import type { ReadBody } from './bodies/read-body.ts'
import { takeUpTo } from './limits/up-to.ts'
import { checkScope } from './middleware/bounds.ts'
import type { Enforce } from './middleware/limits.ts'
import type { Prefers, Request, Route, Validators } from './route.ts'

/** What serves the route of a request. */
export type Serving = {
  route: Route
  enforce: Enforce
  /** Who the headers stand for now. */
  callerOf(ctx: Context, ip: string): Promise<Identity | null>
}

/** Who sent a request, and what of it was checked. */
export type Checked = {
  ip: string
  user: Identity | null
  params: unknown
  query: unknown
  sent: ReadBody
  lineStream: LineStream | null
}

const ANONYMOUS_GROUPS = [PUBLIC]

/** A body is counted against the user that sends it; of an anonymous caller, against the network around its address. */
export const senderOf = (user: Identity | null, ip: string): Sender =>
  user === null ? { name: knownBlock(ip), anonymous: true } : { name: user.userId, anonymous: false }

/**
 * A class, against the rule: an accessor in an object literal makes a hidden class for each object, which took a third of
 * the time of a small answer. Handlers take functions off a request, so a getter makes one that knows its request.
 */
export class HandlerRequest implements Request {
  readonly user: Identity | null
  readonly groups: readonly string[]
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly signed: Request['signed']
  readonly lines: Request['lines']
  readonly lineStream: LineStream | null
  readonly ip: string
  readonly #ctx: Context
  readonly #by: Serving
  #signal: AbortSignal | undefined

  constructor(ctx: Context, by: Serving, { ip, user, params, query, sent, lineStream }: Checked) {
    this.user = user
    this.groups = user?.groups ?? ANONYMOUS_GROUPS
    this.params = params
    this.query = query
    this.body = sent.body
    this.signed = sent.signed
    this.lines = sent.lines
    this.lineStream = lineStream
    this.ip = ip
    this.#ctx = ctx
    this.#by = by
  }

  get caller(): string {
    return senderOf(this.user, this.ip).name
  }

  get takeUpTo(): Request['takeUpTo'] {
    const { enforce, route } = this.#by
    return async (most) =>
      route.limit === null ? { taken: most, againMs: 0 } : takeUpTo(enforce, route.limit, this, most)
  }

  get header(): Request['header'] {
    return (name) => headerOf(this.#ctx, name)
  }

  get again(): Request['again'] {
    const { callerOf, route } = this.#by
    return async () => {
      const now = await callerOf(this.#ctx, this.ip)
      if (now !== null) checkScope(now, route.scope)
      return now
    }
  }

  get prefers(): Prefers {
    return prefersOf(this.#ctx)
  }

  get has(): Request['has'] {
    return (version) => hasVersion(this.#ctx, version)
  }

  get signal(): AbortSignal {
    this.#signal ??= abortOnClose(this.#ctx)
    return this.#signal
  }
}

function headerOf({ req: { headers } }: Context, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const prefersOf = (ctx: Context): Prefers => ({
  type: (of) => ctx.accepts(...of) || of[0]!,
  encoding: (of) => ctx.acceptsEncodings(...of) || 'identity',
})

function hasVersion(ctx: Context, version: Validators): boolean {
  const { headers } = ctx.req
  if (headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined) return false
  ctx.status = 200
  ctx.set(version)
  const { fresh } = ctx
  // The answer sets its own; an error has none.
  for (const name of Object.keys(version)) ctx.remove(name)
  return fresh
}

/** Aborts when the connection closes before the answer is out. */
function abortOnClose(ctx: Context): AbortSignal {
  const controller = new AbortController()
  if (ctx.res.destroyed) controller.abort()
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort()
  })
  return controller.signal
}
