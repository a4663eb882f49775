/** A declared route as a handler of another route asks it: for the same caller, with its own permission, checks and limit (ADR 230). */

import { Type } from 'typebox'
import { ApiError } from '../../http/errors.ts'
import { takeUpTo } from '../../http/limits/up-to.ts'
import { authorise } from '../../http/middleware/identity.ts'
import { costsNothing, type Enforce } from '../../http/middleware/limits.ts'
import type { Request, Route } from '../../http/route.ts'
import { bodyCheck, textCheck } from '../../http/validation.ts'

/** What a request would say; members that are undefined are left out. */
export type Question = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  /** The media type that is wanted, where there are several. */
  media?: string
}

/** The caller, as its own request has it. */
export type Asker = Pick<Request, 'user' | 'groups' | 'ip' | 'again' | 'signal'>

/** The body of the answer. Throws what the route refuses with; a refused limit says when to ask again. */
export type AskRoute = (asker: Asker, question: Question) => Promise<unknown>

/** Routes by method and path, as they are declared: `get /api/search/v1/entity/{id}`. Throws for one that is not there. */
export function innerRequests(routes: readonly Route[], enforce: Enforce): (name: string) => AskRoute {
  return (name) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === name)
    if (route === undefined) throw new Error(`there is no route ${name}`)
    return asked(route, enforce)
  }
}

const NO_PARAMETERS = Type.Object({})

function asked(route: Route, enforce: Enforce): AskRoute {
  const checkParams = textCheck(route.params ?? NO_PARAMETERS, 'path parameter')
  const checkQuery = textCheck(route.query ?? NO_PARAMETERS, 'query parameter')
  const checkBody = route.body === null ? () => undefined : bodyCheck(route.body)
  return async (asker, { params = {}, query = {}, body, media }) => {
    const { user, ip } = asker
    authorise(route, user)
    await route.permit?.(user)
    const request: Request = {
      user,
      groups: asker.groups,
      params: checkParams(params),
      query: checkQuery(textsOf(query)),
      body: checkBody(body),
      signed: null,
      lines: null,
      lineStream: null,
      takeUpTo: async (most) =>
        route.limit === null ? { taken: most, againMs: 0 } : takeUpTo(enforce, route.limit, { user, ip }, most),
      ip,
      caller: user?.userId ?? ip,
      header: () => undefined,
      again: asker.again,
      prefers: { type: (of) => of.find((one) => one === media) ?? of[0]!, encoding: () => 'identity' },
      has: () => false,
      get signal() {
        return asker.signal
      },
    }
    const charge = route.limit && (await enforce(route.limit, user, ip, route.units?.(request.body) ?? 1))
    if (charge?.refusal != null)
      throw new ApiError(charge.refusal.code, { retryAfter: Number(charge.headers['retry-after']) })
    try {
      return (await route.handler(request)).body
    } catch (thrown) {
      if (costsNothing(thrown)) charge?.giveBack()
      throw thrown
    }
  }
}

const textsOf = (query: NonNullable<Question['query']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
