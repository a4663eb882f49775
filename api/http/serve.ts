/** One declared route: caller, permission, input, limit, handler, answer. The order is the same for all. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { Type } from 'typebox'
import type { Identity } from '../../schemas/accounts/accounts.ts'
import { PUBLIC } from '../../schemas/intelligence/observations/audience.ts'
import { clientIp } from './addresses/client-ip.ts'
import { knownBlock } from './addresses/known-addresses.ts'
import { respond } from './answers/respond.ts'
import type { Streams } from './answers/streams.ts'
import { type TrailPorts, trailOf } from './audit/trail.ts'
import type { Sender } from './bodies/body-room.ts'
import { checkLineStream, isLines, lineStream } from './bodies/line-stream.ts'
import { type Bodies, bodyReader, NOTHING_SENT } from './bodies/read-body.ts'
import { invalid } from './errors.ts'
import { takeUpTo } from './limits/up-to.ts'
import { checkScope } from './middleware/bounds.ts'
import { authorise } from './middleware/identity.ts'
import { costsNothing, type Enforce } from './middleware/limits.ts'
import { refuseForeign } from './middleware/own-host.ts'
import { type Identify, isSocketRoute, type Prefers, type Request, type Route, type Validators } from './route.ts'
import { checkHandshake } from './sockets/handshake.ts'
import { textCheck } from './validation.ts'

export type ServeOptions = {
  identify: Identify
  trustedProxies: number
  enforce: Enforce
  /** Where bodies are held, and who sent such that were refused. */
  bodies: Bodies
  /** Where long answers are begun. */
  streams: Streams
  /** Where the actions of routes are recorded; null: nowhere (a server of health alone). */
  trail: TrailPorts | null
}

const checkNoQuery = textCheck(Type.Object({}), 'query parameter')
const NOTHING = {}
const ANONYMOUS_GROUPS = [PUBLIC]

/** Serves `route`; throws what the caller is to be refused with. */
export function server(
  route: Route,
  { identify, trustedProxies, enforce, bodies, streams, trail: ports }: ServeOptions,
) {
  const trail = ports && trailOf(route, ports)
  const handle = trail?.handle ?? route.handler
  const checkParams = route.params && textCheck(route.params, 'path parameter')
  const checkQuery = route.query ? textCheck(route.query, 'query parameter') : checkNoQuery
  const readBody = bodyReader(route, bodies)
  const handshakes = isSocketRoute(route)
  const callerOf = ({ req: { headers }, params = NOTHING }: Context, ip: string) =>
    route.credentials === null ? identify(headers, ip) : route.credentials({ headers, params, ip }, identify)
  const answer = async (ctx: Context, ip: string, user: Identity | null): Promise<void> => {
    if (user?.by?.kind === 'download token') ctx.state.tokenId = user.by.id
    authorise(route, user)
    await route.permit?.(user)
    if (handshakes) checkHandshake(ctx.req)
    const lines = route.lineStream !== null && (route.body === null || isLines(ctx.req)) ? route.lineStream : null
    if (lines !== null) checkLineStream(ctx.req, lines)
    if (checkParams !== null) checkEncoding(ctx.req.url!, ctx.params)
    const params = checkParams?.(ctx.params)
    const query = checkQuery(ctx.req.url!.includes('?') ? ctx.query : NOTHING)
    const sent = readBody === null || lines !== null ? NOTHING_SENT : await readBody(ctx, () => senderOf(user, ip))
    let signal: AbortSignal | undefined
    const request: Request = {
      user,
      groups: user?.groups ?? ANONYMOUS_GROUPS,
      params,
      query,
      body: sent.body,
      signed: sent.signed,
      lines: sent.lines,
      lineStream: lines && lineStream(ctx.req, lines),
      takeUpTo: async (most) =>
        route.limit === null ? { taken: most, againMs: 0 } : takeUpTo(enforce, route.limit, { user, ip }, most),
      ip,
      get caller() {
        return senderOf(user, ip).name
      },
      header: (name) => headerOf(ctx, name),
      again: async () => {
        const now = await callerOf(ctx, ip)
        if (now !== null) checkScope(now, route.scope)
        return now
      },
      prefers: prefersOf(ctx),
      has: (version) => hasVersion(ctx, version),
      get signal() {
        signal ??= abortOnClose(ctx)
        return signal
      },
    }
    const units =
      (lines === null ? route.units?.(request.body) : 1) ??
      (request.lines === null ? 1 : Math.max(1, request.lines.count))
    const charge = route.limit && (await enforce(route.limit, user, ip, units))
    if (charge === null) return respond(ctx, route, await handle(request), streams)
    try {
      if (charge.refusal !== null) throw charge.refusal
      const made = await handle(request)
      await respond(ctx, route, { ...made, headers: { ...charge.headers, ...made.headers } }, streams)
    } catch (thrown) {
      ctx.set(costsNothing(thrown) ? charge.giveBack() : charge.headers)
      throw thrown
    }
  }
  return async (ctx: Context): Promise<void> => {
    // Nobody is identified: it is refused like a request without credentials, which meets no route.
    if (route.access === 'open') refuseForeign(ctx, null)
    ctx.state.route = route
    const ip = clientIp(ctx.req, trustedProxies)
    let user: Identity | null = null
    try {
      user = route.access === 'open' ? null : await callerOf(ctx, ip)
      refuseForeign(ctx, user)
      await answer(ctx, ip, user)
    } catch (thrown) {
      const params = ctx.params ?? NOTHING
      trail?.refuse(thrown, { user, ip, params, hasCredentials: hasCredentials(ctx.req.headers, params) })
      throw thrown
    }
  }
}

/**
 * The router takes what it cannot decode as it stands, which would be another value. Throws 400 that names the parameter.
 * @param params as the router read them
 */
function checkEncoding(url: string, params: Readonly<Record<string, string>>): void {
  if (!url.includes('%')) return
  for (const part of url.split('?', 1)[0]!.split('/')) {
    if (isEncoded(part)) continue
    const param = Object.keys(params).find((name) => part.startsWith(params[name]!))
    throw invalid(param ?? 'path', 'is not percent-encoded UTF-8')
  }
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** A download token may stand in the path. */
const hasCredentials = (headers: IncomingHttpHeaders, params: Readonly<Record<string, string>>): boolean =>
  ['authorization', 'api-key', 'api-secret'].some((name) => headers[name] !== undefined) || params.token !== undefined

/** A body is counted against the user that sends it; of an anonymous caller, against the network around its address. */
const senderOf = (user: Identity | null, ip: string): Sender =>
  user === null ? { name: knownBlock(ip), anonymous: true } : { name: user.userId, anonymous: false }

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
