import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  expectRefreshed,
  picture,
  settled,
  visit,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** Of a platform to which nothing was reported. */
export const emptyTriageTests = ({ newPage }: OpenedConsole) =>
  describe('triage of nothing', () => {
    test('of nothing says where to look', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/triage')
      await page.getByText('No malicious entities were seen').waitFor(PATIENCE)
      await page.getByRole('link', { name: 'Show all entities of the last 30 days' }).click()
      await page.getByText('No entities were seen').waitFor(PATIENCE)
      expect(new URL(page.url()).search).toBe('?hours=720&scope=all')
      await picture(page, 'triage-nothing')
      expect(complaints).toEqual([])
      await close()
    })

    test('stands still while it waits, for who wants less motion', async () => {
      const { page, complaints, close } = await newPage()
      await page.route('**/api/analytics/v1/recent?**', () => undefined)
      await page.goto('/triage')
      await page.getByTestId('waiting').first().waitFor(PATIENCE)
      await expect.poll(() => page.evaluate('document.getAnimations().length'), PATIENCE).toBe(0)
      expect(complaints).toEqual([])
      await close()
    })
  })

/** The list of what was seen last: what it shows, how it follows the platform, and keys. */
export const triageTests = ({ platform, newPage }: OpenedConsole) =>
  describe('triage', () => {
    const ROWS = 24
    const report = async (domain: string, reputation: number, tags: string[] = []): Promise<void> => {
      const { status } = await platform.ask('/api/ingest/v1/entity', {
        type: 'domain',
        attributes: { domain },
        reputation,
        tags,
      })
      expect(status).toBe(202)
    }
    const listed = async () => (await platform.ask('/api/analytics/v1/recent?limit=100', undefined, null)).body.items
    const known = (domain: string) =>
      eventually(listed, (items) => items.some(({ value }: { value: string }) => value === domain), 20_000)
    const values = (page: Page) => page.locator('[data-testid=row] a').allTextContents()
    const focused = (page: Page) => page.evaluate('document.activeElement.textContent') as Promise<string>

    test('lists the newest first, with what narrows them in the address', async () => {
      for (let i = 0; i < ROWS; i++) await report(`d${i}.example.com`, (i % 3) - 3, i % 2 ? ['botnet'] : ['phishing'])
      await report('good.example.com', 3)
      const ip = { type: 'ip', attributes: { ip: '203.0.113.9' }, reputation: -2, tags: ['c2'] }
      expect((await platform.ask('/api/ingest/v1/entity', ip)).status).toBe(202)
      await known('203.0.113.9')
      const { page, complaints, close } = await newPage()
      await page.goto('/triage')
      await page.getByTestId('row').first().waitFor(PATIENCE)
      const told = (await listed()).map(({ value }: { value: string }) => value)
      expect(await values(page)).toEqual(told)
      expect(told.slice(0, 2)).toEqual(['203.0.113.9', `d${ROWS - 1}.example.com`])
      const first = page.getByTestId('row').first()
      expect(await first.textContent()).toMatch(/Bad −2/)
      expect(await first.textContent()).toMatch(/Medium/)
      expect(await first.textContent()).toMatch(/c2/)
      expect(await first.getByRole('link').getAttribute('href')).toBe(`/entity/${entityId('ip', '203.0.113.9')}`)
      await expectAccessible(page)
      await picture(page, 'triage')

      await page.getByLabel('Type').selectOption('domain')
      await page.getByLabel('Tag').fill('bot')
      await page.getByLabel('Text').fill('d1')
      await expect
        .poll(() => values(page), PATIENCE)
        .toEqual(
          told.filter((value: string) => /^d1\d*[13579]?\./.test(value) && Number(/\d+/.exec(value)![0]) % 2 === 1),
        )
      expect(await page.getByTestId('shown').textContent()).toContain('apply to the loaded entities')
      expect(new URL(page.url()).search).toBe('?type=domain&tag=bot&text=d1')
      await page.getByLabel('Accuracy').selectOption('3')
      await page.getByText('No loaded entity matches the filters').waitFor(PATIENCE)
      await visit(page, '/triage?scope=all')
      await page.getByText('good.example.com').waitFor(PATIENCE)
      expect(complaints).toEqual([])
      await close()
    })

    test('follows the platform without moving the rows on the screen, and stops when paused', async () => {
      const { page, complaints, close } = await newPage({ clock: true })
      await page.goto('/triage')
      await page.getByTestId('row').first().waitFor(PATIENCE)
      const row = page.getByTestId('row').nth(18)
      await row.scrollIntoViewIfNeeded()
      const before = await values(page)
      const place = await row.boundingBox()
      await report('late.example.com', -3)
      await known('late.example.com')
      const news = page.getByTestId('news')
      await expectRefreshed(page, () => news.isVisible()).toBe(true)
      expect(await news.textContent()).toBe('Show 1 new')
      expect(
        await page
          .getByRole('status')
          .filter({ hasText: /^1 new$/ })
          .count(),
      ).toBe(1)
      expect(await values(page)).toEqual(before)
      expect(await row.boundingBox()).toEqual(place)
      await picture(page, 'triage-news')
      await news.click()
      await expect.poll(async () => (await values(page))[0], PATIENCE).toBe('late.example.com')
      await expect.poll(() => focused(page), PATIENCE).toBe('late.example.com')
      expect(await page.getByTestId('row').first().textContent()).toContain('new')
      expect(await news.count()).toBe(0)

      await page.getByRole('button', { name: 'Pause' }).click()
      let asked = 0
      page.on('request', (request) => (asked += request.url().includes('/recent') ? 1 : 0))
      await report('later.example.com', -3)
      await known('later.example.com')
      for (let minute = 0; minute < 5; minute++) await page.clock.fastForward(60_000)
      await settled(page)
      expect([asked, await news.count()]).toEqual([0, 0])
      await page.getByRole('button', { name: 'Resume' }).click()
      await expectRefreshed(page, () => news.isVisible()).toBe(true)
      expect(asked).toBeGreaterThan(0)
      await page.keyboard.press('n')
      await expect.poll(async () => (await values(page))[0], PATIENCE).toBe('later.example.com')
      expect(complaints).toEqual([])
      await close()
    })

    test('works by keys, without trapping the focus', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/triage')
      await page.getByTestId('row').first().waitFor(PATIENCE)
      const all = await values(page)
      await page.keyboard.press('j')
      expect(await focused(page)).toBe(all[0])
      await page.keyboard.press('j')
      await page.keyboard.press('ArrowDown')
      expect(await focused(page)).toBe(all[2])
      await page.keyboard.press('k')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('k')
      expect(await focused(page)).toBe(all[0])
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(all[1])
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Shift+Tab')
      expect(all).not.toContain(await focused(page))
      await page.getByLabel('Text').press('j')
      expect(await page.getByLabel('Text').inputValue()).toBe('j')
      await page.getByLabel('Text').fill('')
      await page.getByRole('heading', { level: 1 }).focus()
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor(PATIENCE)
      await picture(page, 'triage-keys')
      await dialog.getByLabel('Use single letters as shortcuts').uncheck()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden', ...PATIENCE })
      await page.getByRole('heading', { level: 1 }).focus()
      await page.keyboard.press('j')
      expect(all).not.toContain(await focused(page))
      await page.locator('[data-testid=row] a').first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/entity\//)
      expect(complaints).toEqual([])
      await close()
    })

    test('in the dark, on a small screen, with values of any length', async () => {
      await report(`${'long-'.repeat(11)}x.${'very-'.repeat(11)}x.example.com`, -3, [
        'a-tag-of-some-length',
        'botnet',
        'c2',
      ])
      await eventually(
        listed,
        (items) => items.some(({ value }: { value: string }) => value.startsWith('long-')),
        20_000,
      )
      const { page, complaints, close } = await newPage({
        colorScheme: 'dark',
        viewport: { width: 360, height: 740 },
      })
      await page.goto('/triage')
      await page.getByTestId('row').first().waitFor(PATIENCE)
      expect(await page.getByTestId('row').first().textContent()).toContain('Alarming −3')
      await expectFits(page)
      await expectLegible(page)
      await picture(page, 'triage-dark-360')
      expect(complaints).toEqual([])
      await close()
    })
  })
