import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { registered } from '../../../builders/accounts/mailed-code.ts'
import { expectAccessible, expectFits, expectLegible, picture } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdBearer, holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { prepared } from '../../../builders/suite/during.ts'

const NARROW = { width: 360, height: 740 }
const SEARCH = '/api/search/v1/entities/history/simple'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

export const narrowedKeysTests = ({ platform, newPage }: OpenedConsole) =>
  describe('key pairs that are narrowed', { timeout: 240_000 }, () => {
    const kay = prepared(() => registered(platform, 'kay@example.com', 'kay'))

    async function keysPage(options: Parameters<typeof newPage>[0] = {}, keys: Record<string, string> | null = null) {
      const seen = await newPage(options)
      await (keys === null ? holdBearer(seen.page, kay) : holdSession(seen.page, keys))
      await seen.page.goto('/account/keys')
      return seen
    }
    const shown = async (page: Page) => ({
      'api-key': (await page.getByTestId('new-key').locator('code').textContent())!,
      'api-secret': (await page.getByTestId('new-secret').locator('code').textContent())!,
    })
    const statusOf = async (keys: Record<string, string>, path: string, body?: unknown) =>
      (await platform.ask(path, body, keys)).status

    test('a key is made for what its program needs, narrowed, and given another secret', async () => {
      const { page, complaints, close } = await keysPage()
      await page.getByText('No key pairs yet').waitFor(PATIENCE)
      await page.getByLabel('Name').fill('siem')
      await page.getByLabel('Read', { exact: true }).check()
      await page.getByLabel('Search', { exact: true }).check()
      await page.getByLabel('Networks').fill('not a network')
      await page.getByText('not a network is no network').waitFor(PATIENCE)
      expect(await button(page, 'Create the key pair').isDisabled()).toBe(true)
      await page.getByLabel('Networks').fill('127.0.0.0/8\n10.0.0.0/8')
      await picture(page, 'account-keys-new')
      await button(page, 'Create the key pair').click()
      const keys = await shown(page)
      expect(await statusOf(keys, '/auth/v2/keypair')).toBe(200)
      // Nothing is found, and it was asked.
      expect(await statusOf(keys, SEARCH, { query: 'nothing-like-it.example' })).toBe(404)
      expect(await statusOf(keys, '/auth/v2/sessions')).toBe(403)
      await button(page, 'I have copied it').click()
      const row = page.getByRole('row', { name: /siem/ })
      for (const text of ['Read', 'Search', '127.0.0.0/8', '10.0.0.0/8'])
        await row.getByText(text, { exact: true }).waitFor(PATIENCE)
      await picture(page, 'account-keys-narrowed')
      await expectAccessible(page)

      await button(page, 'Narrow siem …').click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByLabel('Report', { exact: true }).count()).toBe(0)
      expect(await button(page, 'Narrow').isDisabled()).toBe(true)
      await dialog.getByLabel('Networks').fill('127.0.0.0/8\n192.0.2.0/24')
      await dialog.getByRole('button', { name: 'Narrow', exact: true }).click()
      // Wider than before: the platform refuses it, and the field says so.
      await dialog.getByText(/would widen the key pair/).waitFor(PATIENCE)
      await dialog.getByLabel('Networks').fill('127.0.0.0/8')
      await dialog.getByLabel('Search', { exact: true }).uncheck()
      await picture(page, 'account-keys-narrow-dialog')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Narrow', exact: true }).click()
      await expect.poll(() => row.getByText('10.0.0.0/8').count(), PATIENCE).toBe(0)
      await expect
        .poll(() => statusOf(keys, SEARCH, { query: 'nothing-like-it.example' }), { timeout: 5_000 })
        .toBe(403)

      await button(page, 'Rotate siem …').click()
      await expectAccessible(page)
      await dialog.getByLabel('The old secret').selectOption('3600')
      await dialog.getByRole('button', { name: 'Make a new secret' }).click()
      const rotated = await shown(page)
      expect(rotated['api-key']).toBe(keys['api-key'])
      expect(rotated['api-secret']).not.toBe(keys['api-secret'])
      for (const secret of [rotated, keys]) expect(await statusOf(secret, '/auth/v2/keypair')).toBe(200)
      await page.getByText('The old secret works until').waitFor(PATIENCE)
      await row.getByText(/old secret ends/).waitFor(PATIENCE)
      await picture(page, 'account-keys-rotated')
      await button(page, 'I have copied it').click()
      await button(page, 'Rotate siem …').click()
      await dialog.getByLabel('The old secret').selectOption('0')
      await dialog.getByRole('button', { name: 'Make a new secret' }).click()
      await page.getByText('The old secret no longer works.').waitFor(PATIENCE)
      const last = await shown(page)
      await expect.poll(() => statusOf(rotated, '/auth/v2/keypair'), { timeout: 5_000 }).toBe(401)
      expect(await statusOf(last, '/auth/v2/keypair')).toBe(200)
      await page.reload()
      await row.waitFor(PATIENCE)
      expect(await page.content()).not.toContain(last['api-secret'])
      expect(complaints).toEqual([])
      await close()
    })

    test('who is signed in with a pair goes on with its new secret; it fits a narrow dark window', async () => {
      const body = { name: 'laptop', days: 30 }
      const { apiKey, apiSecret } = (await platform.ask('/auth/v2/keypair', body, kay)).body
      const options = { viewport: NARROW, colorScheme: 'dark' } as const
      const { page, complaints, close } = await keysPage(options, { 'api-key': apiKey, 'api-secret': apiSecret })
      await button(page, 'Rotate laptop …').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('this tab continues with the new secret').waitFor(PATIENCE)
      await dialog.getByLabel('The old secret').selectOption('0')
      await dialog.getByRole('button', { name: 'Make a new secret' }).click()
      await button(page, 'I have copied it').waitFor(PATIENCE)
      await expectFits(page)
      await picture(page, 'account-keys-rotated-narrow')
      await expectLegible(page)
      await page.reload()
      await page.getByRole('row', { name: /laptop current/ }).waitFor(PATIENCE)
      await button(page, 'Narrow laptop …').click()
      await dialog.getByLabel('Networks').waitFor(PATIENCE)
      await expectFits(page)
      await picture(page, 'account-keys-narrow-window')
      await expectLegible(page)
      expect(complaints).toEqual([])
      await close()
    })
  })
