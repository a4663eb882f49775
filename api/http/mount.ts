/** Declared routes on their paths, which are looked up; the router answers HEAD, OPTIONS and unknown methods (ADR 283). */

import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { ANSWER_HEADERS } from './answers/respond.ts'
import { isTaxii } from './answers/taxii-errors.ts'
import { paramPaths } from './param-paths.ts'
import type { Route } from './route.ts'
import { type ServeOptions, server } from './serve.ts'

type Serve = (ctx: Context) => Promise<void>

/** `/member/{userID}` -> `/member/:userID` */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Existing clients use both prefixes of `/auth` (decisions 1.1). A parameter of `/api/billing` that is left empty is a
 * 400 and not an unknown path (specification 4.5), so the path with nothing in its place is served too. Paths of TAXII end
 * with a slash; clients leave it out, and a redirect would lose what they post (ADR 256).
 */
function pathsOf(path: string): string[] {
  if (isTaxii(path)) return [path, path.replace(/\/$/, '')]
  if (path.startsWith('/auth/v2/')) return [path, `/api${path}`]
  if (!path.startsWith('/api/billing/')) return [path]
  const emptied = [...path.matchAll(/\{\w+\}/g)].map(
    ({ 0: name, index }) => path.slice(0, index) + path.slice(index + name.length),
  )
  return [path, ...emptied]
}

/**
 * Orders `/limits/ip/{service}` before `/limits/{service}/{key}`, and `/entity/{id}.stix` before `/entity/{id}`: `~` sorts
 * after the first character of any literal.
 */
function byLiterals(a: Route, b: Route): number {
  const [left, right] = [a, b].map(({ path }) => `${path.replaceAll(/\{\w+\}/g, '~')}~`) as [string, string]
  return left < right ? -1 : Number(left > right)
}

/**
 * Answers the declared routes; a literal segment wins over a parameter in the same place. Unknown methods of a known
 * path are a 405 or, to OPTIONS, a list.
 */
export function mount(routes: readonly Route[], options: ServeOptions): { routes(): Middleware } {
  const router = new Router({ sensitive: true, strict: true })
  const literal = new Map<string, Map<string, Serve>>()
  const others = new Map<string, ReturnType<typeof paramPaths<Serve>>>()
  const literalFirst = [...routes].sort(byLiterals)
  for (const route of literalFirst) {
    const serve = server(route, options)
    const method = route.method.toUpperCase()
    const byPath = literal.get(method) ?? new Map<string, Serve>()
    literal.set(method, byPath)
    const byParams = others.get(method) ?? paramPaths<Serve>()
    others.set(method, byParams)
    for (const path of pathsOf(route.path)) {
      // The router knows all of them: HEAD and OPTIONS are answered from its list.
      router[route.method](routerPath(path), serve)
      if (route.params === null) byPath.set(path, serve)
      else byParams.add(path, serve)
    }
  }
  const match = router.routes()
  const refuseMethod = router.allowedMethods()
  return {
    routes: () => (ctx, next) => {
      const { method, url } = ctx.req
      const query = url!.indexOf('?')
      const path = query < 0 ? url! : url!.slice(0, query)
      const serve = literal.get(method!)?.get(path)
      if (serve !== undefined) return serve(ctx)
      const found = others.get(method!)?.find(path)
      if (found) {
        ctx.params = found.params
        return found.value(ctx)
      }
      ctx.set(ANSWER_HEADERS)
      return match(ctx as Parameters<typeof match>[0], () =>
        refuseMethod(ctx as Parameters<typeof refuseMethod>[0], next),
      )
    },
  }
}
