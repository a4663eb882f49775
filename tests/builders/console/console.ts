/** The console of a platform that a file of tests has for itself, whatever it tests, and a browser in front of it. */

import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Platform, remove, startPlatform, temporaryFolder } from '../platform/platform.ts'
import { openBrowser, openPage, type Seen } from './browser.ts'

const START_MS = 240_000
const STOP_MS = 60_000

type Env = Record<string, string>

export type OpenedConsole = {
  /** Usable from the first `beforeAll` after `openConsole`. */
  platform: Platform
  /** The data folder of the platform. */
  folder: string
  /** Ends the platform, does `meanwhile` with its data folder, and starts it again with the settings that it had. */
  restart(meanwhile: () => Promise<void>): Promise<void>
  /** A page in a browser context of its own: no other page shares its storage. */
  newPage(options?: BrowserContextOptions & { clock?: boolean }): Promise<Seen>
}

/**
 * Starts a platform on embedded defaults and a browser before the tests of the file or the `describe` in which it is
 * called, and ends both after them.
 * @param env settings of the platform, or a function that prepares what they name
 */
export function openConsole(env: Env | (() => Env | Promise<Env>) = {}): OpenedConsole {
  const folder = temporaryFolder()
  let settings: Env = {}
  let platform: Platform | undefined
  let browser: Browser | undefined
  const running = (): Platform => {
    if (platform === undefined) throw new Error('the platform has not been started')
    return platform
  }
  beforeAll(async () => {
    settings = typeof env === 'function' ? await env() : env
    ;[platform, browser] = await Promise.all([startPlatform(folder, settings), openBrowser()])
  }, START_MS)
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
    remove(folder)
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
    async restart(meanwhile) {
      await running().stop()
      await meanwhile()
      platform = await startPlatform(folder, settings)
    },
    newPage: (options) => openPage(browser!, running().url, options),
  }
}
