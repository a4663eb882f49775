/** A watch over a running API: what it answers is what its document says. */

import type { Middleware } from 'koa'
import type { Route } from '../../../api/http/route.ts'
import { codesOf } from '../../../api/openapi/codes.ts'

export type Watch = {
  middleware: Middleware
  /** @throws Error that names every route with an answer that its document does not list */
  settle(): void
}

/** Goes before everything else. */
export function documentedAnswers(): Watch {
  const faults = new Set<string>()
  return {
    middleware: async (ctx, next) => {
      await next()
      const route = ctx.state.route as Route | undefined
      if (route === undefined) return
      const name = `${route.method} ${route.path}`
      if (ctx.status >= 400) {
        const code = (ctx.body as { error?: { code?: string } } | undefined)?.error?.code
        const listed: readonly string[] = codesOf(route)
        if (code !== undefined && !listed.includes(code)) faults.add(`${name} answers ${code}, which is not listed`)
      }
    },
    settle() {
      if (faults.size > 0) throw new Error(`add to \`codes\` of the route:\n${[...faults].join('\n')}`)
    },
  }
}
