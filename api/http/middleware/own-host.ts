/** A page of a stranger reaches no platform on loopback by a name of its own (DNS rebinding). */

import { isIP } from 'node:net'
import type { Context, Middleware } from 'koa'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { ApiError } from '../errors.ts'

/** `name:port`, `[address]:port` -> the name or the address. */
const withoutPort = (host: string): string =>
  host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/**
 * Refuses with 403 what is asked by another name than an address, one of `localhost` or one of `names`. A name that leads
 * to loopback by the word of its owner makes a browser believe that page and platform are one site. Such a page has no
 * credentials: a request that brings some goes on, and routes refuse it unless they are right (`refuseForeign`).
 */
export function ownHost(names: readonly string[]): Middleware {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())])
  const isOwn = (host: string): boolean => isIP(host) !== 0 || own.has(host) || host.endsWith('.localhost')
  /** Most requests come by the same name as the one before. */
  let known: string | undefined
  return (ctx, next) => {
    const { host } = ctx.req.headers
    if (host === known) return next()
    if (host === undefined || isOwn(withoutPort(host))) {
      known = host
      return next()
    }
    if (CREDENTIALS.every((name) => ctx.req.headers[name] === undefined)) throw isForeign()
    ctx.state.foreign = true
    return next()
  }
}

const CREDENTIALS = ['api-secret', 'authorization'] as const

/** Throws 403 for a request by another name of which nobody was identified. */
export function refuseForeign({ state }: Pick<Context, 'state'>, user: Identity | null): void {
  if (state.foreign === true && user === null) throw isForeign()
}

const isForeign = (): ApiError =>
  new ApiError('forbidden', {
    message: 'the header host is neither an address nor the name of this platform (HARRIER_URL)',
  })
