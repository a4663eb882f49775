/** The browser that shows the console, to tests and to whoever takes pictures of it. */

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Debian's: without the parts that draw a window it takes a fifth less of the processors than the whole browser. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? BROWSERS[0]!

/** Debian's Chromium, or what CHROMIUM names. A build that promises a browser must not pass without one. */
export const hasBrowser = (): boolean => existsSync(CHROMIUM) || Boolean(process.env.CI)

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      // Nothing is looked up or fetched behind our back; in a container there is no sandbox to be had.
      ...['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
      // A page of a test ends before what an optimising compiler makes of its scripts pays, and nothing is drawn by a
      // graphics processor: without both, and a process for it, a browser takes a fifth less of the processors.
      ...['--js-flags=--no-maglev --no-turbofan', '--in-process-gpu'],
    ],
  })
