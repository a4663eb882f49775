import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf } from '../../../builders/accounts/users.ts'
import { expectAccessible, picture, visit } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** Keys that work on every page: the search box, the help, and the rows of lists. */
export const shortcutTests = ({ platform, newPage }: OpenedConsole) =>
  describe('keys', () => {
    const DOMAINS = ['a.example.com', 'b.example.com', 'c.example.com']

    beforeAll(async () => {
      for (const domain of DOMAINS) {
        const body = { type: 'domain', attributes: { domain }, reputation: -3, tags: ['botnet'] }
        expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
      }
      await eventually(
        () => platform.ask(`/api/search/v1/entity/${entityId('domain', DOMAINS.at(-1)!)}`),
        ({ status }) => status === 200,
      )
    })

    const focused = (page: Page) => page.locator(':focus').first().textContent()
    const inSearch = (page: Page) => page.evaluate("document.activeElement.id === 'quick-search'")
    const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const lines = (page: Page) => help(page).locator('kbd').allTextContents()
    /** Rows of the page with a link or button, by its text. */
    const rows = (page: Page) =>
      page
        .locator('#page tbody tr')
        .evaluateAll((all) => all.map((row) => row.querySelector('a, button')?.textContent).filter(Boolean))

    /** Down to the second row, up again, and no further than the ends. */
    async function expectWalk(page: Page): Promise<void> {
      await page.locator('#page tbody tr').first().waitFor(PATIENCE)
      const all = await rows(page)
      expect(all.length).toBeGreaterThan(1)
      await page.getByRole('heading', { level: 1 }).focus()
      await page.keyboard.press('j')
      expect(await focused(page)).toBe(all[0])
      await page.keyboard.press('k')
      expect(await focused(page)).toBe(all[0])
      await page.keyboard.press('j')
      expect(await focused(page)).toBe(all[1])
      expect(await page.evaluate("document.activeElement.matches(':focus-visible')")).toBe(true)
      await page.keyboard.press('ArrowUp')
      expect(await focused(page)).toBe(all[0])
    }

    test('/ leads to the search box from every page, and nothing fires while typing there', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/')
      const heading = page.getByRole('heading', { level: 1 })
      let left: string | null = null
      for (const path of ['/', '/triage', '/changes', '/attribution', '/sign-in']) {
        if (left !== null) await visit(page, path)
        await expect.poll(() => heading.textContent(), PATIENCE).not.toBe(left)
        left = await heading.textContent()
        await page.keyboard.press('/')
        expect(await inSearch(page)).toBe(true)
        await page.keyboard.type('j/k?')
        expect(await page.locator('#quick-search').inputValue()).toBe('j/k?')
        expect(await help(page).count()).toBe(0)
        await page.keyboard.press('Escape')
        expect(await inSearch(page)).toBe(false)
      }
      await page.keyboard.press('Control+/')
      await page.keyboard.press('Alt+/')
      expect(await inSearch(page)).toBe(false)
      expect(complaints).toEqual([])
      await close()
    })

    test('j and k walk through the results of a search, and Enter opens one', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor(PATIENCE)
      await page.keyboard.press('/')
      await page.keyboard.type('botnet')
      await page.keyboard.press('Enter')
      await page.getByTestId('results').waitFor(PATIENCE)
      await expectWalk(page)
      await picture(page, 'keys-search')
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).pathname, PATIENCE).toMatch(/^\/entity\//)
      expect(complaints).toEqual([])
      await close()
    })

    test('j and k walk through changes and triage', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/changes')
      await expectWalk(page)
      await visit(page, '/triage')
      await page.getByTestId('row').first().waitFor(PATIENCE)
      await expectWalk(page)
      expect(complaints).toEqual([])
      await close()
    })

    test('j, k and Enter work in the tables of operations, and not behind a dialog', async () => {
      const { page, complaints, close } = await newPage()
      await newUserOf(platform, { roles: ['user'], groups: [] })
      await holdSession(page)
      await page.goto('/operations/users')
      await page.getByTestId('user').first().waitFor(PATIENCE)
      await page.keyboard.press('j')
      const first = await focused(page)
      expect(first).toMatch(/@/)
      await page.keyboard.press('?')
      await help(page).waitFor(PATIENCE)
      await page.keyboard.press('j')
      await page.keyboard.press('/')
      expect(await inSearch(page)).toBe(false)
      await page.keyboard.press('Escape')
      await help(page).waitFor({ state: 'hidden', ...PATIENCE })
      await expect.poll(() => focused(page), PATIENCE).toBe(first)
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).searchParams.get('id'), PATIENCE).not.toBeNull()
      await page.getByLabel('Email or alias contains').press('j')
      expect(await page.getByLabel('Email or alias contains').inputValue()).toBe('j')
      expect(complaints).toEqual([])
      await close()
    })

    test('? lists the keys of the page, and switches them off everywhere; a button still shows them', async () => {
      const { page, complaints, close } = await newPage({ colorScheme: 'dark' })
      await page.goto('/sign-in')
      await page.getByRole('heading', { level: 1 }).waitFor(PATIENCE)
      await page.keyboard.press('?')
      await help(page).waitFor(PATIENCE)
      expect(await lines(page)).toEqual(['/', '?'])
      await page.keyboard.press('Escape')
      await help(page).waitFor({ state: 'hidden', ...PATIENCE })
      await page.getByRole('link', { name: 'Triage' }).click()
      await page.getByTestId('row').first().waitFor(PATIENCE)
      await page.keyboard.press('?')
      await help(page).waitFor(PATIENCE)
      expect(await lines(page)).toEqual(['/', '?', 'j or ↓', 'k or ↑', 'Enter', 'n', 'p'])
      await expectAccessible(page)
      await picture(page, 'keys-help-dark')
      await help(page).getByLabel('Use single letters as shortcuts').uncheck()
      await page.keyboard.press('Escape')
      await help(page).waitFor({ state: 'hidden', ...PATIENCE })
      await page.goto('/changes')
      await page.locator('#page tbody tr').first().waitFor(PATIENCE)
      for (const key of ['j', '/', '?']) await page.keyboard.press(key)
      expect([await inSearch(page), await help(page).count()]).toEqual([false, 0])
      expect(await page.locator('#page tbody :focus').count()).toBe(0)
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
      await help(page).getByLabel('Use single letters as shortcuts').check()
      await page.keyboard.press('Escape')
      await help(page).waitFor({ state: 'hidden', ...PATIENCE })
      await page.keyboard.press('/')
      expect(await inSearch(page)).toBe(true)
      expect(complaints).toEqual([])
      await close()
    })
  })
