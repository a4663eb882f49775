/** Tabs of the console that tests have one after the other. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { complaintsOf, type Seen } from './browser.ts'
import { RESTING } from './held-session.ts'

const WIDE = { width: 1280, height: 720 }

export type Tabs = {
  /** A tab that shows no page of the console yet and keeps nothing. No other open tab shares its storage. */
  take(options?: TabOptions): Promise<Seen>
  /** Ends those that nobody has. */
  end(): Promise<void>
}
export type TabOptions = Pick<BrowserContextOptions, 'colorScheme' | 'viewport'>

/**
 * A tab that was used before loads a page for half of what a new one takes: its process and its cache are there. Each
 * tab is alone in its browser context, and whoever gives it back leaves nothing behind.
 */
export function openTabs(browser: Browser, url: string): Tabs {
  const free: Page[] = []
  const made = async (): Promise<Page> => {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(RESTING)
    return page
  }
  async function giveBack(page: Page): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const context = page.context()
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.goto(RESTING)
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await context.clearCookies()
    free.push(page)
  }
  return {
    async take({ colorScheme = 'light', viewport = WIDE } = {}) {
      const page = free.pop() ?? (await made())
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport ?? WIDE)
      const { complaints, end } = complaintsOf(page, url)
      return {
        page,
        complaints,
        async close() {
          end()
          await giveBack(page)
        },
      }
    },
    async end() {
      await Promise.all(free.splice(0).map((page) => page.context().close()))
    },
  }
}
