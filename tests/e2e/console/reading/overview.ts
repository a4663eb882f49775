import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  picture,
  settled,
  visit,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { expectExplained } from '../../../builders/intelligence/explained.ts'
import { file, reportedBefore } from '../../../builders/intelligence/long-ago.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** Of a platform to which nothing was reported. */
export const emptyOverviewTests = ({ newPage }: OpenedConsole) =>
  describe('the overview of nothing', () => {
    test('of an empty platform says what to do next, to everybody what they may do', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/')
      const steps = page.getByTestId('first-steps')
      await steps.waitFor(PATIENCE)
      for (const line of ['npm run harrier -- demo', 'npm run harrier -- feed import --help'])
        expect(await steps.getByText(line, { exact: true }).isVisible()).toBe(true)
      expect(await page.getByTestId('chart').count()).toBe(0)
      expect(await steps.getByRole('button', { name: 'Load it now' }).count()).toBe(0)
      await picture(page, 'overview-empty')
      await holdSession(page)
      await page.reload()
      await steps.getByRole('link', { name: 'Report an entity' }).waitFor(PATIENCE)
      await steps.getByRole('button', { name: 'Load it now' }).waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'overview-empty-administrator')
      await page.setViewportSize({ width: 360, height: 740 })
      await expectFits(page)
      expect(complaints).toEqual([])
      await close()
    })
  })

/** What the overview tells of reports of three months: all that the platform has. */
export const overviewTests = ({ folder, platform, newPage }: OpenedConsole) =>
  describe('the overview', () => {
    const tile = async (page: Page, name: string): Promise<[seen: string | null, inAll: string | null]> => {
      const of = page.getByTestId(`tile-${name}`)
      await of.getByTestId('seen').locator('a, span').first().waitFor()
      return [await of.getByTestId('seen').textContent(), await of.getByTestId('in-all').textContent()]
    }
    const bars = async (page: Page, name: string) =>
      Object.fromEntries(
        await Promise.all(
          (await page.getByTestId(name).getByTestId('bar').all()).map(async (bar) => [
            await bar.getAttribute('data-key'),
            await bar.getByTestId('count').textContent(),
          ]),
        ),
      )

    test('tells the numbers of the window beside those of everything, and each leads to what it counts', async () => {
      const today = [
        ['203.0.113.1', -3, ['botnet', 'c2']],
        ['203.0.113.2', 2, ['scanner']],
      ] as const
      for (const [ip, reputation, tags] of today) {
        const told = await platform.ask('/api/ingest/v1/entity', { type: 'ip', attributes: { ip }, reputation, tags })
        expect(told.status).toBe(202)
      }
      await reportedBefore(folder, [
        file('a', 3, -3, ['botnet']),
        file('b', 5, 1),
        file('c', 20, -2, ['botnet']),
        file('d', 40, -1),
        file('e', 80, -1, ['botnet']),
        file('f', 200, 3),
      ])
      await eventually(
        () => platform.ask('/api/analytics/v1/overview', undefined, null),
        ({ body }) => body.total_entities === 8,
      )
      const { page, complaints, close } = await newPage()
      await page.goto('/')
      expect(await tile(page, 'entities')).toEqual(['5', 'of 8 in total'])
      expect(await tile(page, 'malicious')).toEqual(['3', 'of 5 in total'])
      expect(await tile(page, 'share')).toEqual(['60.0%', '62.5% of all'])
      expect(await tile(page, 'types')).toEqual(['2', '2 in total'])
      expect(await bars(page, 'by-type')).toEqual({ sha256: '3', ip: '2' })
      expect(await bars(page, 'by-tag')).toEqual({ botnet: '3', c2: '1', scanner: '1' })
      expect(await bars(page, 'by-reputation')).toEqual({
        '-3': '2',
        '-2': '1',
        '-1': '0',
        '0': '0',
        '1': '1',
        '2': '1',
        '3': '0',
      })
      expect(await page.getByTestId('by-type').getByTestId('scope').textContent()).toBe('last seen in 30 days')
      const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
      expect(await page.locator(`[data-day="${day}"] td`).allTextContents()).toEqual([day, '1', '1'])
      await page.getByTestId('chart').locator('svg').waitFor(PATIENCE)
      expect(await page.getByTestId('chart').getAttribute('aria-label')).not.toBe('')
      expect(await expectExplained(page, platform)).toBeGreaterThan(15)
      await expectLegible(page)
      await picture(page, 'overview')

      for (const [days, seen] of [
        ['7', '4'],
        ['90', '7'],
      ] as const) {
        await page.getByText(`${days} days`, { exact: true }).click()
        await expect
          .poll(() => page.getByTestId('tile-entities').getByTestId('seen').textContent(), PATIENCE)
          .toBe(seen)
        expect(new URL(page.url()).searchParams.get('days')).toBe(days)
        expect(await page.getByTestId('day').count()).toBe(Number(days))
      }
      expect(await expectExplained(page, platform)).toBeGreaterThan(10)
      await page.reload()
      expect(await tile(page, 'entities')).toEqual(['7', 'of 8 in total'])
      await page.getByTestId('tile-malicious').getByRole('link').first().click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/search')
      expect(complaints).toEqual([])
      await close()
    }, 180_000)

    test('in the dark, on a small screen, and while the search is refused', async () => {
      const { page, complaints, close } = await newPage({
        colorScheme: 'dark',
        viewport: { width: 360, height: 740 },
      })
      await page.goto('/?days=90')
      await tile(page, 'entities')
      await page.getByTestId('chart').locator('svg').waitFor(PATIENCE)
      await page.getByText('Numbers by day').click()
      await expectAccessible(page)
      await expectFits(page)
      await picture(page, 'overview-dark-360')
      await page.route('**/api/search/v1/entities/advanced*', (route) =>
        route.fulfill({
          status: 429,
          contentType: 'application/json',
          body: JSON.stringify({ error: { message: 'rate limit exceeded', code: 'rate_limited', error_id: 'x' } }),
        }),
      )
      await visit(page, '/?days=60')
      await page.getByText('The breakdowns cover all entities').waitFor(PATIENCE)
      expect(await page.getByTestId('by-type').getByTestId('scope').textContent()).toBe('all entities')
      expect(await bars(page, 'by-type')).toEqual({ sha256: '6', ip: '2' })
      await settled(page)
      await picture(page, 'overview-refused-360')
      expect(complaints).toEqual([])
      await close()
    })
  })
