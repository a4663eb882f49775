/** The console as a person has it before them: a real browser against a real platform. */

import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { tellLastLook } from '../failure/last-look.ts'
import { PATIENCE } from './patience.ts'

export { hasBrowser, openBrowser } from './chromium.ts'

/** What was seen; kept as output of the build and looked at. */
const PICTURES = fileURLToPath(new URL('../../../.cache/screenshots/', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Seen = {
  page: Page
  /** Errors of the page, refused loads, requests to anywhere else: nothing may be in here. */
  complaints: string[]
  close(): Promise<void>
}

/**
 * A page of the console at `url`, which collects what goes wrong in it.
 * @param clock whether the time of the page can be moved (`expectRefreshed`)
 */
export async function openPage(
  browser: Browser,
  url: string,
  { clock = false, ...options }: BrowserContextOptions & { clock?: boolean } = {},
): Promise<Seen> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options })
  if (clock) await context.clock.install()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    // A refusal of the API is an answer; browsers write it down as an error all the same. Failures are told below.
    const answer = /the server responded with a status of \d\d\d/.test(message.text())
    if (message.type() === 'error' && !answer) complaints.push(`console: ${message.text()}`)
  })
  page.on('response', async (response) => {
    if (response.status() < 500) return
    // At once: a test may look before the text has come.
    const place = complaints.push(`${response.status()} ${response.url()}`) - 1
    complaints[place] += `: ${(await response.text().catch(() => 'its text was not read')).slice(0, 500)}`
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(url) && !to.startsWith('data:') && !to.startsWith('blob:')) complaints.push(`third party: ${to}`)
  })
  tellLastLook(page, complaints)
  return { page, complaints, close: () => context.close() }
}

/** Waits until nothing is loading, and keeps a picture of the whole page. */
export async function picture(page: Page, name: string): Promise<void> {
  await settled(page)
  mkdirSync(PICTURES, { recursive: true })
  await page.evaluate('window.scrollTo(0, 0)')
  await page.screenshot({ path: `${PICTURES}${name}.png`, fullPage: true })
}

/** Asks from outside: the content security policy lets nothing evaluate text inside of the page. */
export async function settled(page: Page): Promise<void> {
  const waiting = page.locator('[data-testid=waiting], .first-paint')
  await expect.poll(() => waiting.count(), { timeout: 20_000 }).toBe(0)
}

/** More than the longest interval (15 s) after which a page asks the platform again. */
const INTERVAL_MS = 16_000

/**
 * Expects what `look` reads from a page that nobody touches, once the page has asked the platform again. The clock of
 * the page moves one interval ahead before each look, so that no test waits for an interval. Needs a page with `clock`.
 */
export const expectRefreshed = (page: Page, look: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      await page.clock.fastForward(INTERVAL_MS)
      return look()
    },
    { timeout: 30_000, interval: 250 },
  )

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What axe finds in one colour scheme and not in the other: the rest is of the document, which is the same. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Asks axe (WCAG 2.2 A and AA); fails with every serious finding and where it is. */
export const expectAccessible = (page: Page): Promise<void> => expectNoFinding(page, { type: 'tag', values: TAGS })

/** The part of `expectAccessible` that another colour scheme can break, for a page of which the other was asked before. */
export const expectLegible = (page: Page): Promise<void> => expectNoFinding(page, { type: 'rule', values: COLOURS })

async function expectNoFinding(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<void> {
  await settled(page)
  const findings = async () =>
    (await page.evaluate(`(async () => {
    ${AXE}
    const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', '))
  })()`)) as string[]
  // What is on its way in or out has half of its colour: it is asked about again.
  await expect.poll(findings, { ...PATIENCE, interval: 500 }).toEqual([])
}

/** Fails when the page stays wider than its window; a window that was just made narrower takes a moment. */
export async function expectFits(page: Page): Promise<void> {
  await settled(page)
  const surplus = async () =>
    (await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')) as number
  await expect.poll(surplus, { timeout: 5_000, message: `${page.url()} is wider than its window` }).toBe(0)
}

/** Signs in with a key pair, as the form does it, and comes back to `path`. */
export async function signInWithKeys(page: Page, keys: { 'api-key': string; 'api-secret': string }, path = '/') {
  await page.goto('/sign-in')
  await page.getByRole('tab', { name: 'Key pair' }).click()
  await page.getByLabel('API key').fill(keys['api-key'])
  await page.getByLabel('API secret').fill(keys['api-secret'])
  await page.getByRole('button', { name: 'Sign in with the key pair' }).click()
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await page.goto(path)
}
