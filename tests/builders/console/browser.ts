/** The console as a person has it before them: a real browser against a real platform. */

import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Request, Response } from 'playwright-core'
import { expect } from 'vitest'
import { tellLastLook } from '../failure/last-look.ts'
import { PATIENCE } from './patience.ts'

export { hasBrowser, openBrowser } from './chromium.ts'

/** What was seen, where somebody wants to look at it (HARRIER_SCREENSHOTS=1). */
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
  return { page, complaints: complaintsOf(page, url).complaints, close: () => context.close() }
}

/** Collects what goes wrong in a page of the console at `url`, until `end`. */
export function complaintsOf(page: Page, url: string): { complaints: string[]; end(): void } {
  const complaints: string[] = []
  const failed = (error: Error): void => void complaints.push(`page error: ${error.message}`)
  const written = (message: ConsoleMessage): void => {
    // A refusal of the API is an answer; browsers write it down as an error all the same. Failures are told below.
    const answer = /the server responded with a status of \d\d\d/.test(message.text())
    if (message.type() === 'error' && !answer) complaints.push(`console: ${message.text()}`)
  }
  const answered = async (response: Response): Promise<void> => {
    if (response.status() < 500) return
    // At once: a test may look before the text has come.
    const place = complaints.push(`${response.status()} ${response.url()}`) - 1
    complaints[place] += `: ${(await response.text().catch(() => 'its text was not read')).slice(0, 500)}`
  }
  const asked = (request: Request): void => {
    const to = request.url()
    if (!to.startsWith(url) && !to.startsWith('data:') && !to.startsWith('blob:')) complaints.push(`third party: ${to}`)
  }
  page.on('pageerror', failed).on('console', written).on('response', answered).on('request', asked)
  tellLastLook(page, complaints)
  const end = () =>
    page.off('pageerror', failed).off('console', written).off('response', answered).off('request', asked)
  return { complaints, end }
}

/** Goes on to `path` as a link of the console does, without loading it anew: what was answered a moment ago is not asked again. */
export const visit = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)

/** Waits until nothing is loading, and keeps a picture of the whole page where HARRIER_SCREENSHOTS asks for pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  await settled(page)
  if (process.env.HARRIER_SCREENSHOTS !== '1') return
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
  // It stays in a document until the next load.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE)
  const options = { runOnly, resultTypes: ['violations'], preload: false }
  const findings = async () =>
    (await page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify(options)})
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
