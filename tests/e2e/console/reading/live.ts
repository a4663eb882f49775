import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { expectAccessible, expectFits, picture } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** Live mode and the page of changes, by an administrator, who may have several streams. */
export const liveTests = ({ platform, newPage }: OpenedConsole) =>
  describe('live changes in the console', { timeout: 240_000 }, () => {
    const report = async (value: string, reputation: number, tags: string[] = []): Promise<void> => {
      const body = { type: 'ip', attributes: { ip: value }, reputation, tags }
      expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
    }
    const known = (value: string) =>
      eventually(
        () => platform.ask(`/api/search/v1/entity/${entityId('ip', value)}`),
        ({ status }) => status === 200,
      )
    const values = (page: Page) => page.locator('[data-testid=row] a').allTextContents()
    const state = (page: Page) => page.getByTestId('live-state').getAttribute('data-state')
    const row = (page: Page, value: string) => page.getByTestId('row').filter({ hasText: value })

    test('triage marks what changes in its place, announces what is new, and pauses', async () => {
      await report('198.51.100.1', -1)
      await report('198.51.100.2', -1)
      await known('198.51.100.2')
      const { page, complaints, close } = await newPage()
      await holdSession(page)
      await page.goto('/triage')
      await page.getByTestId('row').nth(1).waitFor(PATIENCE)
      const live = page.getByRole('switch', { name: 'Live' })
      expect(await live.getAttribute('aria-checked')).toBe('false')
      await live.click()
      expect(new URL(page.url()).search).toBe('?live=on')
      await expect.poll(() => state(page), PATIENCE).toBe('live')
      const before = await values(page)
      await report('198.51.100.1', -3, ['beacon'])
      await expect.poll(() => row(page, '198.51.100.1').getAttribute('data-mark'), PATIENCE).toBe('changed')
      await report('198.51.100.3', -3)
      const news = page.getByTestId('news')
      await expect.poll(() => news.textContent().catch(() => ''), PATIENCE).toMatch(/^Show 1 new/)
      expect(await values(page)).toEqual(before)
      await expectAccessible(page)
      await picture(page, 'triage-live')
      await news.click()
      await expect.poll(() => values(page), PATIENCE).toHaveLength(before.length + 1)
      expect((await values(page))[0]).toBe('198.51.100.3')
      await page.getByRole('button', { name: 'Pause' }).click()
      await expect.poll(() => state(page), PATIENCE).toBe('paused')
      await report('198.51.100.4', -3)
      await known('198.51.100.4')
      expect(await news.count()).toBe(0)
      // What happened meanwhile is told from the last cursor.
      await page.getByRole('button', { name: 'Resume' }).click()
      await expect.poll(() => news.textContent().catch(() => ''), PATIENCE).toMatch(/^Show 1 new/)
      expect(complaints).toEqual([])
      await close()
    })

    test('the overview loads live mode when it is turned on, and its figures wait', async () => {
      const { page, complaints, close } = await newPage()
      await holdSession(page)
      const scripts: string[] = []
      page.on('response', (response) => scripts.push(new URL(response.url()).pathname))
      await page.goto('/')
      await page.getByTestId('tile-entities').getByTestId('seen').getByText(/^\d+$/).waitFor(PATIENCE)
      expect(scripts.some((path) => path.includes('LiveChanges'))).toBe(false)
      await page.getByRole('switch', { name: 'Live' }).click()
      await expect.poll(() => state(page), PATIENCE).toBe('live')
      expect(scripts.some((path) => path.includes('LiveChanges'))).toBe(true)
      const figure = page.getByTestId('tile-entities').getByTestId('seen')
      const before = await figure.textContent()
      await report('198.51.100.5', -2)
      await page.getByTestId('news').getByText('Show 1 new').waitFor(PATIENCE)
      expect(await figure.textContent()).toBe(before)
      await page.getByTestId('news').click()
      await page.getByTestId('live-change').getByText('198.51.100.5').waitFor(PATIENCE)
      await expect.poll(() => figure.textContent(), PATIENCE).toBe(String(Number(before) + 1))
      await expectAccessible(page)
      await picture(page, 'overview-live')
      expect(complaints).toEqual([])
      await close()
    })

    test('what changed is read up to now, and a reader without a place is told why', async () => {
      const { page, complaints, close } = await newPage({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
      await page.goto('/changes')
      await page.getByTestId('change').first().waitFor(PATIENCE)
      const told = page.getByTestId('change').filter({ hasText: '198.51.100.1' })
      await expect.poll(() => told.filter({ hasText: 'score' }).count(), PATIENCE).toBe(1)
      const change = told.filter({ hasText: 'score' })
      expect(await change.textContent()).toMatch(/Poor −1.*Alarming −3.*a report/)
      await expectFits(page)
      await expectAccessible(page)
      await picture(page, 'changes-dark-360')
      await page.goto('/changes?tags=beacon&period=day')
      await expect
        .poll(
          () =>
            page
              .getByTestId('shown')
              .textContent()
              .catch(() => ''),
          PATIENCE,
        )
        .toBe('1 change.')
      await page.goto('/changes?types=nothing')
      await page.getByText('is not an entity type', { exact: false }).waitFor(PATIENCE)

      // A reader without an account has one place.
      await page.goto('/triage?live=on')
      await expect.poll(() => state(page), { timeout: 60_000 }).toBe('live')
      const other = await page.context().newPage()
      await other.goto('/changes')
      await other.getByText('Another live stream of yours is open').waitFor(PATIENCE)
      await expectAccessible(other)
      await picture(other, 'changes-no-place')
      expect(complaints).toEqual([])
      await close()
    })
  })
