/** What a browser must not do with our answers. */

import type { Middleware } from 'koa'

/** Of a page: what it may load and do. Data has no use for these, and they would double the size of a small answer. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; style-src 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** Every answer is taken for what it says it is; a page is held to itself. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.set('x-content-type-options', 'nosniff')
  await next()
  if (ctx.type === 'text/html') ctx.set(PAGE_HEADERS)
}
