/** One declared route: caller, permission, input, limit, handler, answer. The order is the same for all. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { Type } from 'typebox'
import type { Identity } from '../../schemas/accounts/accounts.ts'
import { clientIp } from './addresses/client-ip.ts'
import { respond } from './answers/respond.ts'
import type { Streams } from './answers/streams.ts'
import { type TrailPorts, trailOf } from './audit/trail.ts'
import { checkLineStream, isLines, lineStream } from './bodies/line-stream.ts'
import { type Bodies, bodyReader, NOTHING_SENT } from './bodies/read-body.ts'
import { invalid } from './errors.ts'
import { HandlerRequest, senderOf } from './handler-request.ts'
import { authorise } from './middleware/identity.ts'
import { costsNothing, type Enforce } from './middleware/limits.ts'
import { refuseForeign } from './middleware/own-host.ts'
import { type Identify, isSocketRoute, type Route } from './route.ts'
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
  const serving = { route, enforce, callerOf }
  const answer = async (ctx: Context, ip: string, user: Identity | null): Promise<void> => {
    if (user?.by?.kind === 'download token') ctx.state.tokenId = user.by.id
    authorise(route, user)
    if (route.permit !== null) await route.permit(user)
    if (handshakes) checkHandshake(ctx.req)
    const lines = route.lineStream !== null && (route.body === null || isLines(ctx.req)) ? route.lineStream : null
    if (lines !== null) checkLineStream(ctx.req, lines)
    if (checkParams !== null) checkEncoding(ctx.req.url!, ctx.params)
    const isAsked = ctx.req.url!.includes('?')
    const params = checkParams?.(ctx.params)
    const query = isAsked || route.query !== null ? checkQuery(isAsked ? ctx.query : NOTHING) : {}
    const sent = readBody === null || lines !== null ? NOTHING_SENT : await readBody(ctx, () => senderOf(user, ip))
    const lineStreamOf = lines && lineStream(ctx.req, lines)
    const request = new HandlerRequest(ctx, serving, { ip, user, params, query, sent, lineStream: lineStreamOf })
    const units =
      (lines === null ? route.units?.(request.body) : 1) ??
      (request.lines === null ? 1 : Math.max(1, request.lines.count))
    const charge = route.limit && (await enforce(route.limit, user, ip, units))
    if (charge === null) {
      await respond(ctx, route, await handle(request), streams)
      return
    }
    try {
      if (charge.refusal !== null) throw charge.refusal
      await respond(ctx, route, await handle(request), streams, charge.headers)
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
