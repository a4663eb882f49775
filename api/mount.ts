/** Declared routes -> router: caller, permission, input, limit, handler, answer. The order is the same for all. */

import type { IncomingHttpHeaders } from 'node:http'
import Router from '@koa/router'
import type { Context } from 'koa'
import { Type } from 'typebox'
import type { Identity } from '../schemas/accounts.ts'
import { PUBLIC } from '../schemas/audience.ts'
import { readJson } from './body.ts'
import { clientIp } from './client-ip.ts'
import { authorise } from './middleware/identity.ts'
import { costsNothing, type Enforce } from './middleware/limits.ts'
import { type Answer, isMedia, type Request, type Route } from './route.ts'
import { bodyCheck, textCheck } from './validation.ts'

export type MountOptions = {
  identify: (headers: IncomingHttpHeaders) => Promise<Identity | null>
  trustedProxies: number
  enforce: Enforce
}

const NO_QUERY = Type.Object({})
const ANONYMOUS_GROUPS = [PUBLIC]

/** `/member/{userID}` -> `/member/:userID` */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Existing clients use both prefixes of `/auth` (decisions 1.1). A parameter of `/api/billing` that is left empty is a
 * 400 and not an unknown path (specification 4.5), so the path with nothing in its place is served too.
 */
function pathsOf(path: string): string[] {
  if (path.startsWith('/auth/v2/')) return [path, `/api${path}`]
  if (!path.startsWith('/api/billing/')) return [path]
  const emptied = [...path.matchAll(/\{\w+\}/g)].map(
    ({ 0: name, index }) => path.slice(0, index) + path.slice(index + name.length),
  )
  return [path, ...emptied]
}

/** Orders `/limits/ip/{service}` before `/limits/{service}/{key}`: `~` sorts after whatever a literal begins with. */
function byLiterals(a: Route, b: Route): number {
  const [left, right] = [a, b].map(({ path }) => path.replaceAll(/\{\w+\}/g, '~')) as [string, string]
  return left < right ? -1 : Number(left > right)
}

/** A router that answers the declared routes; a literal segment wins over a parameter in the same place. */
export function mount(routes: readonly Route[], options: MountOptions): Router {
  const router = new Router({ sensitive: true, strict: true })
  const literalFirst = [...routes].sort(byLiterals)
  for (const route of literalFirst) {
    const serve = server(route, options)
    for (const path of pathsOf(route.path)) router[route.method](routerPath(path), serve)
  }
  return router
}

function server(route: Route, { identify, trustedProxies, enforce }: MountOptions) {
  const checkParams = route.params && textCheck(route.params, 'path parameter')
  const checkQuery = textCheck(route.query ?? NO_QUERY, 'query parameter')
  const checkBody = route.body && bodyCheck(route.body)
  return async (ctx: Context & { params: Record<string, string> }): Promise<void> => {
    ctx.state.route = route
    const user = route.access === 'open' ? null : await identify(ctx.req.headers)
    authorise(route.access, user)
    let signal: AbortSignal | undefined
    const request: Request = {
      user,
      groups: user?.groups ?? ANONYMOUS_GROUPS,
      params: checkParams?.(ctx.params),
      query: checkQuery(ctx.query),
      body: checkBody ? checkBody(await readJson(ctx.req)) : undefined,
      ip: clientIp(ctx.req, trustedProxies),
      get signal() {
        signal ??= abortedWithout(ctx)
        return signal
      },
    }
    const charge = route.limit && (await enforce(route.limit, user, request.ip))
    if (charge !== null) ctx.set(charge.headers)
    if (charge?.refusal) throw charge.refusal
    try {
      respond(ctx, route, await route.handler(request))
    } catch (thrown) {
      if (charge !== null && costsNothing(thrown)) ctx.set(charge.giveBack())
      throw thrown
    }
  }
}

function respond(ctx: Context, route: Route, answer: Answer): void {
  ctx.status = answer.status
  if (answer.headers !== undefined) ctx.set(answer.headers)
  const declared = route.responses[answer.status]
  if (declared === null) ctx.body = null
  else {
    if (declared !== undefined && isMedia(declared)) ctx.type = declared.media
    ctx.body = answer.body
  }
  ctx.status = answer.status
}

/** Aborts when the connection closes before the answer is out. */
function abortedWithout(ctx: Context): AbortSignal {
  const controller = new AbortController()
  if (ctx.res.destroyed) controller.abort()
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort()
  })
  return controller.signal
}
