/** Declared routes on their paths: a literal path is looked up, one with parameters is matched by the router. */

import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { ANSWER_HEADERS } from './respond.ts'
import type { Route } from './route.ts'
import { type ServeOptions, server } from './serve.ts'

type Serve = (ctx: Context) => Promise<void>

/** `/member/{userID}` -> `/member/:userID` */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Existing clients use both prefixes (decisions 1.1). */
const pathsOf = (path: string): string[] => (path.startsWith('/auth/v2/') ? [path, `/api${path}`] : [path])

/**
 * Answers the declared routes; a literal segment wins over a parameter in the same place. Unknown methods of a known
 * path are a 405 or, to OPTIONS, a list.
 */
export function mount(routes: readonly Route[], options: ServeOptions): { routes(): Middleware } {
  const router = new Router({ sensitive: true, strict: true })
  const literal = new Map<string, Map<string, Serve>>()
  const literalFirst = [...routes].sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  for (const route of literalFirst) {
    const serve = server(route, options)
    const method = route.method.toUpperCase()
    const byPath = literal.get(method) ?? new Map<string, Serve>()
    literal.set(method, byPath)
    for (const path of pathsOf(route.path)) {
      // The router knows all of them: HEAD and OPTIONS are answered from its list.
      router[route.method](routerPath(path), serve)
      if (!path.includes('{')) byPath.set(path, serve)
    }
  }
  const match = router.routes()
  const refuseMethod = router.allowedMethods()
  return {
    routes: () => (ctx, next) => {
      const { method, url } = ctx.req
      const query = url!.indexOf('?')
      const serve = literal.get(method!)?.get(query < 0 ? url! : url!.slice(0, query))
      if (serve !== undefined) return serve(ctx)
      ctx.set(ANSWER_HEADERS)
      return match(ctx as Parameters<typeof match>[0], () =>
        refuseMethod(ctx as Parameters<typeof refuseMethod>[0], next),
      )
    },
  }
}
