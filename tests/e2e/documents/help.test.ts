import { execFileSync } from 'node:child_process'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApi, startApi } from '../../builders/api/api.ts'
import { hasBrowser, openBrowser, openPage } from '../../builders/console/browser.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** The documentation as it is built and served, behind a proxy that takes the prefix `/harrier` away. */
const PREFIX = '/harrier'
const folder = ownFolder('help')
let api: RunningApi
let proxy: Server
let url: string

beforeAll(async () => {
  execFileSync(process.execPath, ['site/build.js', `${folder}/site`])
  api = await startApi({}, { helpDir: `${folder}/site` })
  proxy = createServer((asked, answer) => {
    if (!asked.url!.startsWith(`${PREFIX}/`))
      return void answer.writeHead(502).end(`outside of the prefix: ${asked.url}`)
    const { method, headers } = asked
    const inner = request(`${api.url}${asked.url!.slice(PREFIX.length)}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode!, given.headers)
      given.pipe(answer)
    })
    asked.pipe(inner)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}`
})
afterAll(async () => {
  proxy?.close()
  proxy?.closeAllConnections()
  await api?.close()
})

const LINK = /<(?:a|link|script|img)\b[^>]*?\b(?:href|src)="([^"]*)"/g

test('every link, script, style and picture of every page leads to an answer below the prefix', async () => {
  const seen = new Map<string, string>([[`${url}/help/`, 'the start']])
  const wrong: string[] = []
  for (const [place, from] of seen) {
    const answer = await fetch(place)
    if (answer.status !== 200) wrong.push(`${answer.status} ${place}, named by ${from}`)
    const text = await answer.text()
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue
    for (const [, href] of text.matchAll(LINK)) {
      const to = new URL(href!, answer.url)
      to.hash = ''
      // The console and the API document are not part of the site; other hosts are only linked.
      if (!to.href.startsWith(url)) {
        if (to.host === new URL(url).host) wrong.push(`${to.href} leaves the prefix, named by ${place}`)
      } else if (to.pathname.startsWith(`${PREFIX}/help/`) && !seen.has(to.href)) seen.set(to.href, place)
    }
  }
  expect(wrong).toEqual([])
  expect(seen.size).toBeGreaterThan(80)
}, 120_000)

test('an address without its last slash is led to the page, with its query', async () => {
  const answer = await fetch(`${url}/help/use/triage?a=b`)
  expect([answer.status, answer.url]).toEqual([200, `${url}/help/use/triage/?a=b`])
})

describe.skipIf(!hasBrowser())('in a browser', () => {
  test('search finds a page from a page three levels deep, without a request elsewhere or a refused script', async () => {
    const browser = await openBrowser()
    const seen = await openPage(browser, url)
    try {
      const { page } = seen
      await page.goto(`${url}/help/operate/runbooks/lag`)
      await page.getByRole('searchbox').fill('retract')
      const first = page.locator('#found a').first()
      await first.waitFor()
      expect(await first.textContent()).toMatch(/retract/i)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/harrier\/help\/(?!operate\/runbooks\/lag)/)
      await page.goto(`${url}/help/no/such/page`)
      const ground = 'getComputedStyle(document.querySelector("header")).position'
      expect([await page.getByRole('heading', { level: 1 }).textContent(), await page.evaluate(ground)]).toEqual([
        'Page not found',
        'sticky',
      ])
      expect(seen.complaints).toEqual([])
    } finally {
      await seen.close()
      await browser.close()
    }
  })
})
