/** One look at one page: its picture, and what the visit cost. */

import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Address } from './addresses.ts'
import { LOOKS, type Look, type Options } from './options.ts'

export type Visit = {
  /** Until something was painted, in milliseconds. */
  paintMs: number
  /** Scripts and style sheets as they travelled, compressed, in bytes. */
  bundleBytes: number
  /** Errors of the page, and what is wider than the window. */
  complaints: string[]
}

/** A page that does not come to rest is taken as it is then. */
const REST_MS = 20_000
/** Charts and tables are drawn after their answers came. */
const DRAWN_MS = 500
/** A page that is longer is cut there: a picture has to fit into memory. */
const LONGEST_PX = 6_000

/** Visits a page with empty caches, keeps its picture as `<name>-<look>.png`, and tells what the visit cost. */
export async function take(browser: Browser, { name, path }: Address, look: Look, options: Options): Promise<Visit> {
  const context = await browser.newContext({ baseURL: options.url, reducedMotion: 'reduce', ...LOOKS[look] })
  try {
    // As the console keeps a key pair in its tab (console/src/api/session.ts); who signs in has none yet.
    const held = JSON.stringify({ kind: 'keys', ...options.keys })
    if (name !== 'signIn')
      await context.addInitScript(`sessionStorage.setItem('harrier.session', ${JSON.stringify(held)})`)
    const page = await context.newPage()
    const complaints: string[] = []
    const sizes: Promise<number>[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('response', (response) => {
      if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
      if (/\/assets\/.*\.(js|css)$/.test(response.url()))
        sizes.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize),
        )
    })
    await page.goto(path)
    await rested(page)
    const surplus = await number(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth')
    if (surplus > 0) complaints.push(`${surplus} px wider than its window`)
    const paintMs = await number(page, "performance.getEntriesByName('first-contentful-paint')[0].startTime")
    await keep(page, join(options.out, `${name}-${look}.png`), options.window)
    const bundleBytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return { paintMs, bundleBytes, complaints }
  } finally {
    await context.close()
  }
}

async function rested(page: Page): Promise<void> {
  const waiting = page.locator('[data-testid=waiting], .first-paint')
  await page.waitForLoadState('load')
  const end = performance.now() + REST_MS
  // Nothing waits any more, and still nothing does once the charts had time to be drawn.
  for (let quiet = 0; quiet < 2 && performance.now() < end; ) {
    await page.waitForTimeout(DRAWN_MS)
    quiet = (await waiting.count()) === 0 ? quiet + 1 : 0
  }
}

const number = async (page: Page, expression: string): Promise<number> => Number(await page.evaluate(expression))

async function keep(page: Page, path: string, window: boolean): Promise<void> {
  await page.evaluate('window.scrollTo(0, 0)')
  const height = await number(page, 'document.documentElement.scrollHeight')
  const { width } = page.viewportSize()!
  const clip = { x: 0, y: 0, width, height: Math.min(height, LONGEST_PX) }
  await page.screenshot(window ? { path } : { path, fullPage: true, clip })
}
