/** Declared routes -> router: caller, permission, input, handler, answer. The order is the same for all. */

import type { IncomingHttpHeaders } from 'node:http'
import Router from '@koa/router'
import type { Context } from 'koa'
import { Type } from 'typebox'
import type { Identity } from '../schemas/accounts.ts'
import { PUBLIC } from '../schemas/audience.ts'
import { readJson, readSigned } from './body.ts'
import { clientIp } from './client-ip.ts'
import { authorise } from './middleware/identity.ts'
import { type Answer, isMedia, type Request, type Route } from './route.ts'
import { bodyCheck, textCheck } from './validation.ts'

export type MountOptions = {
  identify: (headers: IncomingHttpHeaders) => Promise<Identity | null>
  trustedProxies: number
}

const NO_QUERY = Type.Object({})
const ANONYMOUS_GROUPS = [PUBLIC]

/** `/member/{userID}` -> `/member/:userID` */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Existing clients use both prefixes (decisions 1.1). */
const pathsOf = (path: string): string[] => (path.startsWith('/auth/v2/') ? [path, `/api${path}`] : [path])

/** A router that answers the declared routes; a literal segment wins over a parameter in the same place. */
export function mount(routes: readonly Route[], options: MountOptions): Router {
  const router = new Router({ sensitive: true, strict: true })
  const literalFirst = [...routes].sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  for (const route of literalFirst) {
    const serve = server(route, options)
    for (const path of pathsOf(route.path)) router[route.method](routerPath(path), serve)
  }
  return router
}

function server(route: Route, { identify, trustedProxies }: MountOptions) {
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
      signed: route.signedBy === null ? null : await readSigned(ctx.req, route.signedBy),
      ip: clientIp(ctx.req, trustedProxies),
      get signal() {
        signal ??= abortedWithout(ctx)
        return signal
      },
    }
    respond(ctx, route, await route.handler(request))
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
