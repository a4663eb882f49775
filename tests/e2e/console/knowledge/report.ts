import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newUserOf } from '../../../builders/accounts/users.ts'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  picture,
  type Seen,
  visit,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import type { TabOptions } from '../../../builders/console/tabs.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import { prepared } from '../../../builders/suite/during.ts'

/** What people report, one by one and many at once, arrives, or is refused where it is wrong. */
const PHONE = { width: 360, height: 740 }

export const reportTests = ({ platform, newPage }: OpenedConsole) =>
  describe('the page for reports', () => {
    const reporter = prepared(() => newUserOf(platform, { roles: ['reporter'], groups: ['public', 'blue'] }))

    const open = async (path: string, options: TabOptions = {}, as = reporter.headers): Promise<Seen> => {
      const seen = await newPage(options)
      await holdSession(seen.page, as)
      await seen.page.goto(path)
      return seen
    }
    const pick = async (page: Page, label: string, option: string, nth = 0): Promise<void> => {
      await page.getByRole('combobox', { name: label }).nth(nth).click(PATIENCE)
      await page.getByRole('option', { name: option, exact: true }).click(PATIENCE)
    }
    const calm = async (seen: Seen) => {
      expect([...seen.complaints]).toEqual([])
      await seen.close()
    }

    test('a nested report is shown as it is sent, a wrong field is named beside it, and what was right arrives', async () => {
      const seen = await open('/report?type=domain&value=wicked.example')
      const { page } = seen
      await page.getByRole('textbox', { name: 'Domain', exact: true }).waitFor(PATIENCE)
      expect(await page.getByRole('textbox', { name: 'Domain', exact: true }).inputValue()).toBe('wicked.example')
      await pick(page, 'Reputation', '▼▼ Bad −2')
      await page.getByRole('combobox', { name: 'Tags' }).fill('phishing,')
      await page.getByRole('button', { name: 'Add a related entity' }).click()
      const first = page.getByRole('group', { name: 'Related entity 1 of wicked.example' })
      await pick(page, 'Type', 'IP', 1)
      await first.getByRole('textbox', { name: 'IP', exact: true }).fill('10.0.0.1')
      await first.getByRole('button', { name: 'Add a nested entity to 10.0.0.1' }).click()
      const nested = page.getByRole('group', { name: 'Nested entity 1 of 10.0.0.1' })
      await nested.getByText('Part of').click()
      await nested.getByRole('textbox', { name: 'Domain', exact: true }).fill('deep.wicked.example')
      expect(JSON.parse((await page.getByTestId('json').textContent())!)).toEqual({
        type: 'domain',
        attributes: { domain: 'wicked.example' },
        reputation: -2,
        tags: ['phishing'],
        associations: [
          {
            mode: 'association',
            type: 'ip',
            attributes: { ip: '10.0.0.1' },
            associations: [{ mode: 'aggregation', type: 'domain', attributes: { domain: 'deep.wicked.example' } }],
          },
        ],
      })
      await page.getByRole('button', { name: 'Report', exact: true }).click()
      await page.getByTestId('error-id').waitFor(PATIENCE)
      const wrong = first.getByRole('textbox', { name: 'IP', exact: true })
      await expect.poll(() => wrong.getAttribute('aria-invalid'), PATIENCE).toBe('true')
      expect(await first.textContent()).toMatch(/is not (publicly )?routable|private|must be/i)
      expect(await page.evaluate('document.activeElement.dataset.param')).toBe('associations[0].attributes.ip')
      await picture(page, 'report-wrong-field')
      await expectAccessible(page)

      await wrong.fill('198.51.100.8')
      await page.getByRole('button', { name: 'Report', exact: true }).click()
      await page.getByText('All 3 entities are stored').waitFor(PATIENCE)
      const href = await page.getByRole('link', { name: 'Open the entity' }).getAttribute('href')
      await picture(page, 'report-acknowledged')
      const id = href!.replace('/entity/', '')
      const found = await eventually(
        () => platform.ask(`/api/search/v1/entity/${id}`),
        ({ status }) => status === 200,
      )
      expect(found.body).toMatchObject({ type: 'domain', reputation: -2, tags: ['phishing'] })
      const known = async (value: string) =>
        (await platform.ask('/api/search/v1/entities/lookup', { values: [value] })).body.results[0]?.entities[0]
      expect(await eventually(() => known('198.51.100.8'), Boolean, 20_000)).toMatchObject({ type: 'ip' })
      await calm(seen)
    })

    test('200 lines: what is recognised is shown, 197 are accepted, 3 refused, and those are kept as a file', async () => {
      const lines = [
        ...Array.from({ length: 100 }, (_, n) => `198[.]51[.]100[.]${n + 100}`),
        ...['10.0.0.1', 'what is this', '999.1.1.1'],
        ...Array.from({ length: 97 }, (_, n) => `bulk-${n}.example.com`),
      ]
      const seen = await open('/report?mode=bulk')
      const { page } = seen
      await page.getByLabel('Lines').fill(lines.join('\n'))
      await picture(page, 'report-bulk-source')
      await page.getByRole('button', { name: 'Read the lines' }).click()
      await expect
        .poll(() => page.getByTestId('recognised').textContent(), PATIENCE)
        .toBe('Plain lines: 200 lines. 101 ip, 97 hostname, 2 that cannot be sent.')
      await pick(page, 'Reputation', '▼ Poor −1')
      await page.getByRole('combobox', { name: 'Tags' }).fill('bulk,')
      await picture(page, 'report-bulk-plan')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Report 198 lines' }).click()
      await expect
        .poll(() => page.getByTestId('progress').textContent(), { timeout: 60_000 })
        .toBe('Done: 197 accepted, 3 refused, 0 not sent.')
      await page.getByText('Refused', { exact: true }).click()
      await expect.poll(() => page.getByTestId('line').count(), PATIENCE).toBe(3)
      await picture(page, 'report-bulk-done')
      await expectAccessible(page)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Refused lines as CSV' }).click(),
      ])
      const kept = readFileSync((await file.path())!, 'utf8')
        .trimEnd()
        .split('\r\n')
      expect(kept[0]).toBe('line,given,reason')
      expect(kept.slice(1).map((line) => line.split(',', 2).join(' '))).toEqual([
        ...['101 10.0.0.1', '102 what is this', '103 999.1.1.1'],
      ])
      expect(kept[1]).toMatch(/,attributes.ip must be a publicly routable address/)

      const tagged = () =>
        platform.ask('/api/search/v1/entities/advanced', { query: { must: [{ term: { tags: 'bulk' } }] } })
      const { body } = await eventually(tagged, ({ body }) => body.items === 197, 30_000)
      expect(body.results.every(({ reputation }: { reputation: number }) => reputation === -1)).toBe(true)
      await calm(seen)
    }, 180_000)

    test('a caller without the role sees why it may not report; a narrow and a dark window show the whole page', async () => {
      const outsider = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
      const other = await open('/report', {}, outsider.headers)
      await other.page.getByText('you need the role reporter').waitFor(PATIENCE)
      expect(await other.page.textContent('main')).toContain('Your roles are user')
      await calm(other)

      const narrow = await open('/report', { viewport: PHONE, colorScheme: 'dark' })
      await narrow.page.getByRole('button', { name: 'Add a related entity' }).click(PATIENCE)
      await narrow.page.getByRole('button', { name: /^Add a nested entity to/ }).click()
      await expectFits(narrow.page)
      await expectLegible(narrow.page)
      await picture(narrow.page, 'report-narrow-dark')
      await visit(narrow.page, '/report?mode=bulk')
      await narrow.page.getByLabel('Lines').fill('value,tags\n198.51.100.9,a\n')
      await narrow.page.getByRole('button', { name: 'Read the lines' }).click()
      await narrow.page.getByText('CSV with a header: 1 line. 1 ip.').waitFor(PATIENCE)
      await expectFits(narrow.page)
      await expectLegible(narrow.page)
      await picture(narrow.page, 'report-bulk-narrow-dark')
      await calm(narrow)
    })
  })
