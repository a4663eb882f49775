/** A page of a stranger reaches no platform on loopback by a name of its own (DNS rebinding). */

import { isIP } from 'node:net'
import type { Middleware } from 'koa'
import { ApiError } from '../errors.ts'

/** `name:port`, `[address]:port` -> the name or the address. */
const withoutPort = (host: string): string =>
  host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/**
 * Refuses with 403 what is asked by another name than an address, one of `localhost` or one of `names`. A name that leads
 * to loopback by the word of its owner makes a browser believe that page and platform are one site.
 */
export function ownHost(names: readonly string[]): Middleware {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())])
  const isOwn = (host: string): boolean => isIP(host) !== 0 || own.has(host) || host.endsWith('.localhost')
  return (ctx, next) => {
    const { host } = ctx.req.headers
    if (host === undefined || isOwn(withoutPort(host))) return next()
    throw new ApiError('forbidden', {
      message: 'the header host is neither an address nor the name of this platform (HARRIER_URL)',
    })
  }
}
