/** The web console: its page, and the files that the page loads. */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, Middleware } from 'koa'
import send from 'koa-send'

/** First segments of the addresses that the console shows (console/src/shell/Pages.tsx). */
export const PAGES: ReadonlySet<string> = new Set([
  '',
  'overview',
  'triage',
  'attribution',
  'search',
  'entity',
  'report',
  'scans',
  'account',
  'operations',
  'sign-in',
])
const YEAR_MS = 365 * 86_400_000
/** What stands in the page where each answer has a nonce of its own. */
const NONCE = 'NONCE'

/**
 * No script, style or address but our own. Style attributes are allowed, as charts have them; style sheets inside of
 * the page need the nonce of the answer. Forms are sent by scripts.
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
 * Serves what `npm run console` built into `folder` to browsers; whatever does not ask for HTML gets the API's answers,
 * `/` included. Null when nothing was built.
 */
export function consolePages(folder: string): Middleware | null {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return null
  const page = readFileSync(file, 'utf8')
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path.startsWith('/assets/')) return asset(ctx, folder)
    const [, first = ''] = ctx.path.split('/', 2)
    if (!PAGES.has(first) || ctx.accepts('json', 'html') !== 'html') return next()
    const nonce = randomBytes(16).toString('base64url')
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

/** Names carry a hash of the content, so that a file never changes; those without one are small. */
async function asset(ctx: Context, root: string): Promise<void> {
  const hashed = /-[\w-]{8,}\.\w+$/.test(ctx.path)
  ctx.set('x-content-type-options', 'nosniff')
  await send(ctx, ctx.path, { root, immutable: hashed, maxage: hashed ? YEAR_MS : 0, gzip: true, brotli: true })
}
