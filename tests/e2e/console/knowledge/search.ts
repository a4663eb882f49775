import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  picture,
  type Seen,
  settled,
  visit,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** The search page, from a paste to an export, against what was reported. */
const HEX = 'd41d8cd98f00b204e9800998ecf8427e'
const SHA256 = HEX.repeat(2)
const KNOWN: [type: string, value: string, pasted: string, reads: string][] = [
  ['ip', '198.51.100.1', '198[.]51[.]100[.]1', 'IPv4 address, defanged'],
  ['ip', '2001:db8::7', '2001:DB8:0:0::7', 'IPv6 address'],
  ['cidr', '203.0.113.0/24', '203.0.113.0/24', 'Network (CIDR)'],
  ['domain', 'evil.example', 'Evil[.]example', 'Domain or host name, defanged'],
  ['url', 'https://evil.example/login?a=1', 'hxxps://evil[.]example/login?a=1', 'URL, defanged'],
  ['md5', HEX, HEX.toUpperCase(), 'MD5 hash'],
  ['sha1', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', 'SHA-1 hash'],
  ['sha256', SHA256, SHA256, 'SHA-256 hash'],
  ['email-address', 'phisher@evil.example', 'phisher[at]evil[.]example', 'Email address, defanged'],
  ['cve', 'cve-2026-12345', 'CVE-2026-12345', 'Vulnerability (CVE)'],
  ['asn', '64500', 'AS64500', 'Autonomous system (ASN)'],
]
const MANY = 60
const PHONE = { width: 360, height: 740 }

export const searchTests = ({ platform, newPage }: OpenedConsole) =>
  describe('the search page', () => {
    let member: User
    const ids = new Map<string, string>()

    beforeAll(async () => {
      const reporter = await newUserOf(platform, { roles: ['reporter'], groups: ['public'] })
      member = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
      const report = async (type: string, value: string, more: object = {}) => {
        const { attributes, ...rest } = { attributes: {}, ...more }
        const body = { type, attributes: { [type]: value, ...attributes }, reputation: -2, ...rest }
        const made = await platform.ask('/api/ingest/v1/entity', body, reporter.headers)
        expect([made.status, made.body]).toEqual([202, expect.anything()])
        ids.set(value, made.body.id)
      }
      const hosts = Array.from({ length: MANY }, (_, i) =>
        report('hostname', `c2-${i}.botnet.example`, {
          reputation: -(i % 3) - 1,
          tags: [i % 4 === 0 ? 'apt' : 'crime'],
        }),
      )
      await Promise.all([
        ...KNOWN.map(([type, value]) => report(type, value, { tags: ['pasted'] })),
        report('malware', 'mirai', { attributes: { text: 'A botnet of cameras' }, reputation: -3, tags: ['iot'] }),
        ...hosts,
      ])
      await eventually(
        () => lag(platform.url),
        (left) => left === 0,
      )
    })

    const found = (page: Page) => page.getByTestId('found').textContent(PATIENCE)
    const calm = async (seen: Seen) => {
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
    const dslOf = (page: Page): unknown => JSON.parse(new URL(page.url()).searchParams.get('dsl') ?? 'null')
    const advanced = (dsl: object, more = '') =>
      `/search?mode=advanced&dsl=${encodeURIComponent(JSON.stringify(dsl))}${more}`

    test('each kind of paste is recognised and leads to what it is', async () => {
      const seen = await newPage()
      const { page } = seen
      await page.goto('/search')
      await page.getByText('Enter an indicator').waitFor(PATIENCE)
      await picture(page, 'search-empty')
      const box = page.getByRole('textbox', { name: 'Indicator or text' })
      for (const [type, value, pasted, reads] of KNOWN) {
        await box.fill(pasted)
        await expect.poll(() => page.getByTestId('reads').textContent(), PATIENCE).toBe(`Recognised as: ${reads}.`)
        await box.press('Enter')
        const open = page.getByRole('link', { name: `Open ${type} ${value}`, exact: true })
        await open.waitFor(PATIENCE)
        expect(await open.getAttribute('href')).toBe(`/entity/${ids.get(value)}`)
        expect(await page.getByTestId('hit').first().textContent()).toContain('Bad −2')
        expect(new URL(page.url()).searchParams.get('q')).toBe(pasted)
        await page.getByTestId('results').getByRole('link', { name: value, exact: true }).first().waitFor(PATIENCE)
      }
      // Enter once more opens the hit.
      await box.press('Enter')
      await page.waitForURL(`**/entity/${ids.get('64500')}`, PATIENCE)
      await calm(seen)
    })

    test('the box of the header lands on the hit, whose page Enter opens; another reading can be chosen', async () => {
      const seen = await newPage()
      const { page } = seen
      await page.goto('/')
      await settled(page)
      await page.getByLabel('Search for a value').fill('evil.example')
      await page.getByLabel('Search for a value').press('Enter')
      await page.getByTestId('hit').waitFor(PATIENCE)
      expect(await found(page)).toBe('1 entity')
      await picture(page, 'search-hit')
      await expectAccessible(page)

      await page.getByRole('combobox', { name: 'Treat as' }).click()
      await page.getByRole('option', { name: 'Email address' }).click()
      await page.getByText('No results').waitFor(PATIENCE)
      await page.getByText('No public record matches the search.').waitFor(PATIENCE)
      expect(page.url()).toContain('as=email')
      expect(await page.getByTestId('taken').textContent()).toContain('only in attributes of this kind')
      await picture(page, 'search-nothing')
      await page.goBack()
      await page.getByTestId('hit').waitFor(PATIENCE)

      // A word is looked for in texts, and is the name of something.
      await visit(page, '/search?q=botnet+of+cameras')
      await page.getByTestId('results').getByRole('link', { name: 'mirai' }).waitFor(PATIENCE)
      expect(await page.getByTestId('taken').textContent()).toContain('Text: botnet of cameras')
      await page.getByText('History', { exact: true }).click()
      await expect.poll(() => found(page), PATIENCE).toBe('1 report')
      expect(page.url()).toContain('index=history')

      await visit(page, '/search?q=203.0.113.9')
      await page.getByTestId('covered-by').getByRole('link', { name: '203.0.113.0/24' }).waitFor(PATIENCE)
      await visit(page, '/search?q=mirai')
      await page.getByRole('link', { name: 'Open malware mirai' }).waitFor(PATIENCE)
      await calm(seen)
    })

    test('many lines are looked up at once, listed by outcome, and saved as a file', async () => {
      const seen = await newPage()
      const { page } = seen
      await page.goto('/search')
      const lines = [
        '198[.]51[.]100[.]1',
        'evil.example',
        'unknown.example',
        'what is this',
        '203.0.113.9',
        'evil.example',
      ]
      const box = page.getByRole('textbox', { name: 'Indicator or text' })
      await box.fill(lines.join('\n'))
      await expect.poll(() => page.getByTestId('reads').textContent(), PATIENCE).toBe('5 different values.')
      await box.press('Enter')
      await expect.poll(() => found(page), PATIENCE).toBe('2 of 5 found')
      expect(await page.getByTestId('bulk').getByRole('row').allTextContents()).toEqual([
        expect.stringMatching(/^ValueOutcome/),
        expect.stringMatching(/^198\[\.\]51\[\.\]100\[\.\]1Foundip.*Bad −2.*pasted/),
        expect.stringMatching(/^evil\.exampleFounddomain.*Bad −2/),
        expect.stringMatching(/^unknown\.exampleNot found/),
        expect.stringMatching(/^what is thisNot an indicator/),
        expect.stringMatching(/^203\.0\.113\.9score from 203\.0\.113\.0\/24In a known network.*Bad −2/),
      ])
      await picture(page, 'search-bulk')
      await expectAccessible(page)
      await page.getByText('Not found 1').click()
      expect(await page.getByTestId('bulk').getByRole('row').count()).toBe(2)
      await page.getByText('All 5').click()
      const file = await saved(page, () => page.getByRole('button', { name: 'CSV of all 5' }).click())
      expect(file.split('\r\n')[1]).toMatch(/^198\[\.\]51\[\.\]100\[\.\]1,Found,ip,-2,/)
      expect(file.trim().split('\r\n')).toHaveLength(6)

      // More than there is room for: the page stays usable and says what it left out.
      const long = Array.from({ length: 60_000 }, (_, i) => (i === 7 ? 'evil.example' : `host-${i}.example`)).join('\n')
      await box.fill('')
      await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(long)})
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('textarea').dispatchEvent(paste)
    }`)
      await expect.poll(() => page.getByTestId('reads').textContent(), PATIENCE).toMatch(/^10,000 different values\./)
      await box.press('Enter')
      await expect.poll(() => found(page), PATIENCE).toBe('1 of 10,000 found')
      await page.getByText(/beyond the first 10,000/).waitFor(PATIENCE)
      await page.getByText('Not part of the address').waitFor(PATIENCE)
      expect(await page.getByTestId('bulk').getByRole('row').count()).toBe(101)
      await calm(seen)
    })

    test('200 lines of a log: their indicators are looked up, worst first, each with its line', async () => {
      const seen = await newPage()
      const { page } = seen
      const agent =
        '"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36"'
      const log = Array.from({ length: 200 }, (_, i) => {
        const from = i === 150 ? '198.51.100.1' : i === 7 ? '203.0.113.9' : `192.0.2.${i % 5}`
        const referrer = i === 99 ? 'https://evil.example/login?a=1' : '-'
        return `${from} - - [27/Nov/2026:10:${String(i % 60).padStart(2, '0')}:00 +0000] "GET /shop/index.php?id=${i} HTTP/1.1" 200 ${512 + i} "${referrer}" ${agent}`
      })
      await page.goto('/search')
      const box = page.getByRole('textbox', { name: 'Indicator or text' })
      await box.fill(log.join('\n'))
      await expect.poll(() => page.getByTestId('reads').textContent(), PATIENCE).toBe('9 indicators in 200 lines.')
      await box.press('Enter')
      await expect.poll(() => found(page), PATIENCE).toBe('9 indicators in 200 lines')
      expect(await page.getByTestId('verdicts').textContent()).toBe('Malicious 4Unknown 5')
      const rows = await page.getByTestId('bulk').getByRole('row').allTextContents()
      expect(rows.slice(1, 5).toSorted()).toEqual([
        expect.stringMatching(/^198\.51\.100\.1Found.*Bad −2.*Line 151198\.51\.100\.1 - - /),
        expect.stringMatching(/^203\.0\.113\.9score from 203\.0\.113\.0\/24In a known network.*Line 8/),
        expect.stringMatching(/^evil\.exampleFounddomain.*Line 100192\.0\.2\.4 - - /),
        expect.stringMatching(/^https:\/\/evil\.example\/login\?a=1Foundurl.*Line 100/),
      ])
      expect(rows.at(-1)).toMatch(/^192\.0\.2\.\d.*Not found.*, (?:39|40) times/)
      await picture(page, 'search-text')
      await expectAccessible(page)
      await page.getByLabel('Malicious only').check()
      expect(await page.getByTestId('bulk').getByRole('row').count()).toBe(5)
      const file = await saved(page, () => page.getByRole('button', { name: 'CSV of these 4' }).click())
      expect(file.trim().split('\r\n')).toHaveLength(5)
      const json = await saved(page, () => page.getByRole('button', { name: 'JSON of these 4' }).click())
      expect(JSON.parse(json).map(({ verdict }: { verdict: string }) => verdict)).toEqual(Array(4).fill('malicious'))
      await calm(seen)

      const narrow = await newPage({ viewport: PHONE, colorScheme: 'dark' })
      await narrow.page.goto(`/search?q=${encodeURIComponent(log[150]!)}`)
      await expect.poll(() => found(narrow.page), PATIENCE).toBe('1 indicator in 1 line')
      await expectFits(narrow.page)
      await expectLegible(narrow.page)
      await picture(narrow.page, 'search-text-phone')
      await narrow.page.getByRole('button', { name: 'Search for the text as it is' }).click()
      await narrow.page.getByText('No results').waitFor(PATIENCE)
      await calm(narrow)
    })

    test('the builder writes the JSON that is sent; counts are right, and a bucket narrows the search', async () => {
      const seen = await newPage()
      const { page } = seen
      await page.goto('/search?mode=advanced')
      const row = page.getByTestId('condition')
      await row.getByLabel('Value').fill('hostname')
      await page.getByRole('button', { name: 'Condition', exact: true }).click()
      await choose(page, row.nth(1), 'Field', 'reputation')
      await row.nth(1).getByLabel('To', { exact: true }).fill('-2')
      await page.getByRole('button', { name: 'Condition', exact: true }).click()
      await choose(page, row.nth(2), 'Field', 'lastSeen')
      await row.nth(2).getByLabel('From', { exact: true }).fill('now-7d/d')
      await page.getByRole('button', { name: 'Aggregation', exact: true }).click()
      await choose(page, page.getByTestId('aggregation'), 'Field of the aggregation', 'tags')
      await page.getByRole('button', { name: 'In each bucket' }).click()
      await page.getByRole('button', { name: 'Aggregation', exact: true }).click()
      const wanted = {
        query: {
          must: [
            { term: { type: 'hostname' } },
            { range: { reputation: { lte: -2 } } },
            { range: { lastSeen: { gte: 'now-7d/d' } } },
          ],
        },
        aggs: {
          by_tags: { terms: { field: 'tags', size: 10 }, aggs: { avg_reputation: { avg: { field: 'reputation' } } } },
          over_lastSeen: { date_histogram: { field: 'lastSeen', interval: 'day' } },
        },
      }
      expect(JSON.parse((await page.getByTestId('sent').textContent())!)).toEqual(wanted)
      const sent = page.waitForRequest('**/entities/advanced**')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      expect((await sent).postDataJSON()).toEqual(wanted)
      await expect.poll(() => found(page), PATIENCE).toBe('40 entities')
      expect(dslOf(page)).toEqual(wanted)
      // Of 60, every fourth is `apt`: 15, of which 5 have -1; of the others 15.
      const tags = page.getByTestId('agg-by_tags')
      await expect
        .poll(() => tags.getByRole('row').allTextContents(), PATIENCE)
        .toEqual(['BucketRecordsavg_reputation', 'crime30-2.5', 'apt10-2.5'])
      expect(await page.getByTestId('agg-over_lastSeen').getByRole('row').nth(1).textContent()).toMatch(
        /^20\d\d-\d\d-\d\d40$/,
      )
      await tags.getByTestId('chart').locator('svg').waitFor(PATIENCE)
      await picture(page, 'search-advanced')
      await expectAccessible(page)

      await tags.getByRole('button', { name: 'Filter by apt' }).click()
      await expect.poll(() => found(page), PATIENCE).toBe('10 entities')
      expect(await row.count()).toBe(4)
      const file = await saved(page, () => page.getByRole('button', { name: 'JSON of all 10' }).click())
      expect(JSON.parse(file)).toHaveLength(10)
      const table = await saved(page, () => page.getByRole('button', { name: 'CSV of all 10' }).click())
      expect(table).toMatch(
        /^type,value,reputation,accuracy,tags,first,last,id,attributes\r\nhostname,c2-\d+\.botnet\.example,-[23],/,
      )

      // A refused condition shows the message in its row.
      await row.nth(2).getByLabel('From', { exact: true }).fill('yesterday')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await row.nth(2).getByTestId('refused-row').waitFor(PATIENCE)
      await picture(page, 'search-refused-row')
      await expectAccessible(page)
      await calm(seen)
    })

    test('raw JSON says where its faults are, and stays raw where the builder ends', async () => {
      const seen = await newPage({ colorScheme: 'dark' })
      const { page } = seen
      await page.goto('/search?mode=advanced')
      await page.getByText('JSON', { exact: true }).click()
      const text = page.getByLabel('Body of the search as JSON')
      await text.fill('{\n  "query": {\n    "must": [ { "term": { "type": "ip" } } ]\n  },\n  aggs: {}\n}')
      const fault = page.getByTestId('json-fault')
      await expect.poll(() => fault.textContent(), PATIENCE).toMatch(/^Line 5, column 3: Expected double-quoted/)
      expect(await page.getByRole('button', { name: 'Search', exact: true }).isDisabled()).toBe(true)
      await text.fill(
        '{\n  "query": {\n    "must": [\n      { "query_string": { "query": "tags:(iot" } }\n    ]\n  }\n}',
      )
      await text.press('Control+Enter')
      await expect.poll(() => fault.textContent(), PATIENCE).toMatch(/^Line 4, column 27: has an error at character 6/)
      await page.getByTestId('error-id').waitFor(PATIENCE)
      await picture(page, 'search-raw-refused')
      await expectAccessible(page)
      await text.fill('{ "query": { "must": [ { "query_string": { "query": "tags:(iot OR apt)" } } ] } }')
      await text.press('Control+Enter')
      await expect.poll(() => found(page), PATIENCE).toBe('16 entities')
      await page.getByText('Builder', { exact: true }).click()
      expect(await page.getByTestId('beyond').textContent()).toContain('query.must[0].query_string')
      expect(await text.isVisible()).toBe(true)

      // The same from an address, as other pages link here, over history.
      const dsl = { query: { must: [{ term: { type: 'hostname' } }] }, collapse: { field: 'reputation' } }
      await page.goto(advanced(dsl, '&index=history'))
      await expect.poll(() => found(page), PATIENCE).toBe('60 reports')
      expect(await page.getByText('Changed since the last search.').count()).toBe(0)
      expect(await page.getByTestId('results').getByRole('row').count()).toBe(4)
      await calm(seen)
    })

    test('pages, their order and what lies behind the last one', async () => {
      const seen = await newPage()
      const { page } = seen
      await page.goto(advanced({ query: { must: [{ term: { type: 'hostname' } }] } }, '&sort=reputation&order=asc'))
      const rows = page.getByTestId('results').getByRole('row')
      await expect.poll(() => rows.count(), PATIENCE).toBe(26)
      expect(await rows.nth(1).textContent()).toContain('Alarming −3')
      await page.getByRole('button', { name: 'page 3', exact: true }).click()
      await expect.poll(() => rows.count(), PATIENCE).toBe(11)
      expect(page.url()).toContain('page=3')
      expect(await rows.nth(1).textContent()).toContain('Poor −1')
      await page.reload()
      await expect.poll(() => rows.count(), PATIENCE).toBe(11)
      await page.getByRole('button', { name: /^Score/ }).click()
      await expect.poll(() => rows.nth(1).textContent(), PATIENCE).toContain('Poor −1')
      expect(page.url()).not.toContain('page=')

      // Behind the bound of pages a search goes on from a result; here from the 20th of a sorted list.
      const first = await platform.ask('/api/search/v1/entities/advanced?limit=20&sort=lastSeen&order=desc', {
        query: { must: [{ term: { type: 'hostname' } }] },
      })
      const after = encodeURIComponent(JSON.stringify(first.body.results[19].sort))
      await visit(page, advanced({ query: { must: [{ term: { type: 'hostname' } }] } }, `&after=${after}`))
      await expect.poll(() => page.getByTestId('behind').textContent(), PATIENCE).toMatch(/^25 results after/)
      await page.getByRole('button', { name: 'Continue after the last result' }).click()
      await expect.poll(() => page.getByTestId('behind').textContent(), PATIENCE).toMatch(/^15 results after/)
      await page.getByRole('button', { name: 'Back to the first page' }).click()
      await expect.poll(() => rows.count(), PATIENCE).toBe(26)
      await calm(seen)
    })

    test('a saved search survives a reload, is another’s not, and can be renamed, opened and deleted', async () => {
      const address = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
      const customer = { email: 'billing@acme.example', name: 'Acme', billingAddress: address }
      expect((await platform.ask('/api/billing/v1/customer', customer, member.headers)).status).toBe(201)
      const seen = await newPage()
      const { page } = seen
      const open = () => page.getByRole('button', { name: 'Saved searches', exact: true }).click()
      await page.goto('/search?q=mirai')
      await open()
      await page.getByText('Saved searches are private to your account').waitFor(PATIENCE)

      await holdSession(page, member.headers)
      await page.goto(advanced({ query: { must: [{ term: { tags: 'apt' } }] } }, '&sort=type'))
      await open()
      await page.getByLabel('Name of this search').fill('Our apt')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByTestId('saved').getByRole('link', { name: 'Our apt' }).waitFor(PATIENCE)
      await page.goto('/search')
      await open()
      await picture(page, 'search-saved')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Rename Our apt' }).click()
      await page.getByLabel('New name of Our apt').fill('Apt, ours')
      await page.getByRole('button', { name: 'Rename', exact: true }).click()
      await page.getByRole('link', { name: 'Apt, ours' }).click()
      await expect.poll(() => found(page), PATIENCE).toBe('15 entities')
      expect([dslOf(page), page.url()]).toEqual([
        { query: { must: [{ term: { tags: 'apt' } }] } },
        expect.stringContaining('sort=type'),
      ])

      // Up to what the tier allows.
      for (let i = 0; i < 200; i++) {
        const made = await platform.ask('/api/casework/v1/searches', { name: `n${i}`, query: {} }, member.headers)
        if (made.status === 409) break
      }
      await open()
      await page.getByLabel('Name of this search').fill('One too many')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Limit of saved searches reached').waitFor(PATIENCE)
      await picture(page, 'search-saved-full')
      const last = page
        .getByTestId('saved')
        .getByRole('button', { name: /^Delete / })
        .first()
      const name = (await last.getAttribute('aria-label'))!
      await last.click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count(), PATIENCE).toBe(0)
      await seen.close()

      const other = await newPage()
      const stranger = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
      const theirs = { ...customer, email: 'billing@other.example', name: 'Other' }
      expect((await platform.ask('/api/billing/v1/customer', theirs, stranger.headers)).status).toBe(201)
      await holdSession(other.page, stranger.headers)
      await other.page.goto('/search')
      await other.page.getByRole('button', { name: 'Saved searches', exact: true }).click()
      await other.page.getByText('No saved searches yet.').waitFor(PATIENCE)
      expect([...seen.complaints]).toEqual([])
      await calm(other)
    })

    test('a value that nobody reported shows what is around it, and what can be done; a slip is mended', async () => {
      const seen = await newPage()
      const { page } = seen
      await holdSession(page, member.headers)
      await page.goto('/search?q=203.0.113.77')
      const unknown = page.getByTestId('unknown-value')
      await unknown.waitFor(PATIENCE)
      expect(await page.getByTestId('covered-by').textContent()).toContain('203.0.113.0/24')
      expect(await unknown.textContent()).toContain('Location:')
      expect(await unknown.getByRole('link', { name: 'Report it' }).count()).toBe(0)
      await expectAccessible(page)
      await picture(page, 'search-unknown-address')
      await unknown.getByRole('button', { name: 'Scan it' }).click()
      await page.getByRole('dialog').getByText('203.0.113.77').waitFor(PATIENCE)
      await page.keyboard.press('Escape')
      await visit(page, '/search?q=below.evil.example')
      await unknown.getByRole('link', { name: 'evil.example', exact: true }).waitFor(PATIENCE)
      await expect
        .poll(() => page.getByTestId('decided-by').textContent(), PATIENCE)
        .toMatch(/^Not reported itself\. Its score comes from the domain\s*evil\.example.*Bad −2/)
      await visit(page, `/search?q=${encodeURIComponent('198,51,100,1')}`)
      await page.getByTestId('did-you-mean').getByRole('link', { name: '198.51.100.1' }).click()
      await page.getByTestId('hit').waitFor(PATIENCE)
      expect(await page.getByTestId('did-you-mean').count()).toBe(0)
      await visit(page, '/search?q=evli.example')
      await unknown.getByTestId('did-you-mean').getByRole('link', { name: 'evil.example' }).waitFor(PATIENCE)
      await visit(page, `/entity/${ids.get('evil.example')}`)
      await page
        .getByTestId('around-list')
        .getByRole('link', { name: 'https://evil.example/login?a=1' })
        .waitFor(PATIENCE)
      await expectAccessible(page)
      await page.setViewportSize(PHONE)
      await expectFits(page)
      expect(seen.complaints).toEqual([])
      await seen.close()
    })

    test('refusals say what to do; everything fits a phone, in the dark', async () => {
      const seen = await newPage({ viewport: PHONE, colorScheme: 'dark' })
      const { page } = seen
      for (const path of [
        '/search',
        '/search?q=evil.example',
        advanced({ aggs: { kinds: { terms: { field: 'type' } } } }),
      ]) {
        await (path === '/search' ? page.goto(path) : visit(page, path))
        await page.getByTestId(path === '/search' ? 'nothing' : 'results').waitFor(PATIENCE)
        await expectFits(page)
        await expectLegible(page)
        await picture(page, `search-phone-${path.length}`)
      }
      const refuse = (status: number, code: string, headers = {}) =>
        page.route('**/entities/advanced**', (to) =>
          to.fulfill({ status, headers, json: { error: { message: 'no', code, error_id: 'an-id' } } }),
        )
      await refuse(429, 'rate_limited', { 'retry-after': '17' })
      await page.reload()
      await page.getByText(/^Try again in 1\d s\./).waitFor(PATIENCE)
      expect(seen.complaints).toEqual([])
      await page.unroute('**/entities/advanced**')
      // From here on the browser itself writes down that a server failed.
      await refuse(503, 'query_timeout', { 'retry-after': '5' })
      await page.reload()
      await page.getByText('The search exceeded its limits').waitFor(PATIENCE)
      await expectFits(page)
      await page.unroute('**/entities/advanced**')
      await refuse(503, 'busy', { 'retry-after': '1' })
      await page.reload()
      await page.getByText('Too many searches at once').waitFor(PATIENCE)
      await page.unroute('**/entities/advanced**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByTestId('results').waitFor(PATIENCE)
      await seen.close()
    })
  })

async function choose(page: Page, within: ReturnType<Page['locator']>, label: string, name: string): Promise<void> {
  const field = within.getByRole('combobox', { name: label, exact: true })
  await field.click()
  await field.fill(name)
  await page.getByRole('option', { name, exact: true }).first().click()
}

/** The text of the file that `act` gives to keep. */
async function saved(page: Page, act: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return readFileSync(await file.path(), 'utf8')
}
