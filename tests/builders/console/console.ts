/** The console of a platform that a file of tests has for itself, whatever it tests, and a browser in front of it. */

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Platform, startPlatform } from '../platform/platform.ts'
import { ownFolder } from '../suite/own-folder.ts'
import { openBrowser, openPage, type Seen } from './browser.ts'
import { openTabs, type TabOptions, type Tabs } from './tabs.ts'

const START_MS = 240_000
const STOP_MS = 60_000

type Env = Record<string, string>

export type OpenedConsole = {
  /** Usable from the first `beforeAll` after `openConsole`. */
  platform: Platform
  /** The data folder of the platform. */
  folder: string
  /**
   * A page whose storage no other one shares, in a tab that tests had before.
   * @param options.clock whether the time of the page can be moved (`expectRefreshed`): in a tab that nobody had
   * @param options.first whether nothing of the console may be in its cache
   */
  newPage(options?: TabOptions & { clock?: boolean; first?: boolean }): Promise<Seen>
}

/**
 * Starts a platform on embedded defaults and a browser before the tests of the file or the `describe` in which it is
 * called, and ends both after them.
 * @param env settings of the platform, or a function that prepares what they name
 */
export function openConsole(env: Env | (() => Env | Promise<Env>) = {}): OpenedConsole {
  const folder = ownFolder()
  let settings: Env = {}
  let platform: Platform | undefined
  let browser: Browser | undefined
  let tabs: Tabs | undefined
  const running = (): Platform => {
    if (platform === undefined) throw new Error('the platform has not been started')
    return platform
  }
  beforeAll(async () => {
    settings = typeof env === 'function' ? await env() : env
    ;[platform, browser] = await Promise.all([startPlatform(folder, settings), openBrowser()])
    tabs = openTabs(browser, platform.url)
  }, START_MS)
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  }, STOP_MS)
  return {
    folder,
    platform: {
      get url() {
        return running().url
      },
      get pid() {
        return running().pid
      },
      dataDir: folder,
      output: () => running().output(),
      ask: (...request) => running().ask(...request),
      stop: () => running().stop(),
      kill: () => running().kill(),
    },
    newPage: ({ clock = false, first = false, ...options } = {}) =>
      clock || first ? openPage(browser!, running().url, { clock, ...options }) : tabs!.take(options),
  }
}
