/** What a browser must not do with our answers. */

import type { Middleware } from 'koa'

// Made once: an answer of this API is the same to every browser, so nothing is decided per request.
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; style-src 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export const securityHeaders: Middleware = (ctx, next) => {
  ctx.set(HEADERS)
  return next()
}
