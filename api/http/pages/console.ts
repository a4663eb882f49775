/** The web console: its page and the files that the page loads (ADR 284). */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, Middleware } from 'koa'
import send from 'koa-send'
import { isConsolePath } from '../../../schemas/console-pages.ts'

const YEAR_MS = 365 * 86_400_000
/** The placeholder in the built page; each answer has a new nonce in its place. */
const NONCE = 'NONCE'

/**
 * Only scripts, styles and connections of this origin. Charts need style attributes. A style sheet in the page needs the
 * nonce of the answer. Scripts send the forms, so no form may submit by itself.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Serves the files that `npm run console` built into `folder`, and the console's page at every address of
 * `schemas/console-pages.ts`. Where nobody has an address, the page is a 404 and says so itself. A request that does not
 * prefer HTML passes on to the API, also at `/`; so does everything below the first segment of a route (ADR 284). Null
 * when the console was not built.
 * @param routes the paths of the API
 */
export function consolePages(folder: string, routes: readonly string[]): Middleware | null {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return null
  const page = readFileSync(file, 'utf8')
  const taken = new Set(routes.map(firstSegment))
  return (ctx, next) => {
    const { method, path } = ctx
    if (method !== 'GET' && method !== 'HEAD') return next()
    if (path.startsWith('/assets/')) return asset(ctx, folder)
    const isPage = isConsolePath(path)
    if (!isPage && taken.has(firstSegment(path))) return next()
    // Last: it takes longer than all before it, and most requests are for the API.
    if (ctx.accepts('json', 'html') !== 'html') return next()
    const nonce = randomBytes(16).toString('base64url')
    ctx.status = isPage ? 200 : 404
    ctx.type = 'html'
    ctx.set({
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      vary: 'accept',
    })
    ctx.body = page.replaceAll(NONCE, nonce)
  }
}

const firstSegment = (path: string): string => path.split('/')[1] ?? ''

/** Sends one built file. A name with a hash of the content never changes, so browsers cache it for a year. */
async function asset(ctx: Context, root: string): Promise<void> {
  const hashed = /-[\w-]{8,}\.\w+$/.test(ctx.path)
  ctx.set('x-content-type-options', 'nosniff')
  await send(ctx, ctx.path, { root, immutable: hashed, maxage: hashed ? YEAR_MS : 0, gzip: true, brotli: true })
}
