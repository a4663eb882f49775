import { hash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import { RegistryError } from './schemas.ts'

/** Questions that the protocol asks with POST: whether a schema is registered, whether it would fit. */
const ASKED = /^\/(?:subjects\/[^/]+|compatibility\/subjects\/[^/]+\/versions\/[^/]+)$/

/**
 * Lets through what only reads, and what carries `user` and `secret` (HTTP Basic), which `ctx.state.isWriter` tells. Every
 * other request is refused: any user of the machine reaches a port of loopback.
 */
export function writersOnly(user: string, secret: string) {
  const wanted = digest(`Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`)
  return async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    const reads = ctx.method === 'GET' || ctx.method === 'HEAD' || (ctx.method === 'POST' && ASKED.test(ctx.path))
    // Digests have one length, which the comparison in constant time asks for.
    ctx.state.isWriter = timingSafeEqual(digest(ctx.get('authorization')), wanted)
    if (!reads && !ctx.state.isWriter) {
      ctx.set('www-authenticate', 'Basic realm="schema registry"')
      throw new RegistryError(40101, 'writing requires the credentials of the running platform')
    }
    await next()
  }
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
