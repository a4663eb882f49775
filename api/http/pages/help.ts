/** The documentation: the site that `site/build.js` made, below `/help` (ADR 286). */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, Middleware } from 'koa'
import send from 'send'

const PREFIX = '/help'
/** In the page for what is not there: the way to the root of the site, which depends on the address. */
const ROOT_MARK = '@ROOT@/'
const HOUR_MS = 3_600_000
/** A reader that takes nothing for so long is gone, in milliseconds. */
const IDLE_MS = 120_000

/** Scripts, styles and the index of the search come from here; nothing else is loaded and nothing is sent. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Serves the site in `folder`. Redirects are relative and pages have relative links, so that the site works behind a
 * proxy that takes a prefix away. Null when the site was not built.
 */
export function helpPages(folder: string): Middleware | null {
  if (!existsSync(join(folder, 'index.html'))) return null
  const missing = readFileSync(join(folder, '404.html'), 'utf8')
  const answer = async (ctx: Context): Promise<void> => {
    const { path } = ctx
    ctx.set({
      'content-security-policy': POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const name = path.slice(PREFIX.length)
    if (name === '') return redirect(ctx, 'help/')
    const outcome = await sent(ctx, name, folder)
    if (outcome === 'folder') return redirect(ctx, `${path.split('/').at(-1)}/`)
    if (outcome === 'sent') return
    ctx.respond = true
    ctx.status = 404
    ctx.type = 'html'
    ctx.set('cache-control', 'no-store')
    ctx.body = missing.replaceAll(ROOT_MARK, '../'.repeat(name.split('/').length - 2) || './')
  }
  return (ctx, next) => {
    const { path, method } = ctx
    const isOurs = path === PREFIX || path.startsWith(`${PREFIX}/`)
    return isOurs && (method === 'GET' || method === 'HEAD') ? answer(ctx) : next()
  }
}

function redirect(ctx: Context, to: string): void {
  ctx.respond = true
  ctx.status = 301
  ctx.set('location', `${to}${ctx.search}`)
}

/** Sends a file of the site with its conditions, ranges and HEAD; a folder is its `index.html` when the path ends so. */
async function sent(ctx: Context, name: string, root: string): Promise<'sent' | 'folder' | 'missing'> {
  ctx.respond = false
  ctx.res.statusCode = 200
  ctx.res.setTimeout(IDLE_MS, () => ctx.res.destroy())
  return new Promise((resolve) => {
    ctx.res.once('close', () => resolve('sent'))
    send(ctx.req, name, { root, dotfiles: 'ignore', maxAge: HOUR_MS })
      .on('error', () => resolve('missing'))
      .on('directory', () => resolve('folder'))
      .pipe(ctx.res)
  })
}
