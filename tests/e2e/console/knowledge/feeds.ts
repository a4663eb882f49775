import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { expectAccessible, expectFits, expectLegible, picture, visit } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { eventually } from '../../../builders/platform/platform.ts'

const NARROW = { width: 360, height: 740 }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const feedsTests = ({ platform, newPage }: OpenedConsole) =>
  describe('feeds in the console', { timeout: 240_000 }, () => {
    const report = (value: string, reputation: number) =>
      platform.ask('/api/ingest/v1/entity', { type: 'ip', attributes: { ip: value }, reputation, tags: ['c2'] })

    test('a feed is defined with a preview, read by a device, held, released and deleted', async () => {
      await report('198.51.100.207', -3)
      await report('198.51.100.208', 2)
      const found = () => platform.ask(`/api/search/v1/entity/${entityId('ip', '198.51.100.208')}`)
      await eventually(found, ({ status }) => status === 200)
      const { page, complaints, close } = await newPage()
      await holdSession(page)
      await page.goto('/feeds')
      await page.getByText('No feeds yet').waitFor(PATIENCE)
      await button(page, 'New feed').click()
      expect(await page.evaluate('document.activeElement.name ?? document.activeElement.tagName')).not.toBe('BODY')
      expect(await page.getByText('No feeds yet').count()).toBe(0)
      const preview = page.getByTestId('preview')
      await preview.getByText('1 entity now').waitFor(PATIENCE)
      await preview.getByText('198.51.100.207').waitFor(PATIENCE)
      await page.getByLabel('Reputation to').fill('3')
      await preview.getByText('2 entities now').waitFor(PATIENCE)
      await page.getByLabel('Reputation to').fill('-1')
      await page.getByLabel('Seen within').fill('soon')
      await preview.getByText('Correct the marked field').waitFor(PATIENCE)
      await page.getByText('must be a number of hours or days', { exact: false }).waitFor(PATIENCE)
      expect(await page.getByTestId('error-id').count()).toBe(0)
      await page.getByLabel('Seen within').fill('30d')
      await page.getByLabel('Only these values').fill('198.51.100[.]207')
      expect(await page.getByLabel('Only these values').inputValue()).toBe('198.51.100.207')
      await page.getByLabel('Only these values').fill('')
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Edge block list')
      await page.getByLabel('Description').fill('What the edge drops.')
      await page.getByLabel('May shrink by, % of the list').fill('7')
      await page.getByTestId('guard').getByText('remove more than 7% of the list', { exact: false }).waitFor(PATIENCE)
      await picture(page, 'feeds-new')
      await expectAccessible(page)
      await button(page, 'Publish').click()
      await page.getByTestId('feed-detail').getByText('live').waitFor(PATIENCE)

      await page
        .getByTestId('needs')
        .getByText('requires a key pair, or a download token', { exact: false })
        .waitFor(PATIENCE)
      const device = page.getByRole('textbox', { name: 'Device', exact: true })
      const networks = page.getByPlaceholder('anywhere')
      await device.fill('Edge firewall')
      await networks.fill('127.0.0.0/8')
      await networks.press('Enter')
      await button(page, 'Create a download token').click()
      const token = await page.getByTestId('new-token').locator('code').textContent()
      expect(token).toMatch(/^hft_/)
      await page.getByText(`/t/${token}/items.text`).first().waitFor(PATIENCE)
      await page.getByTestId('edge').getByText(token!, { exact: true }).waitFor(PATIENCE)
      expect(await device.inputValue()).toBe('')
      await page.getByTestId('token').getByText('127.0.0.0/8').waitFor(PATIENCE)
      const list = async () => (await fetch(`${platform.url}/api/feeds/v1/t/${token}/items.text`)).text()
      expect(await list()).toBe('198.51.100.207\n')
      await page
        .getByRole('combobox', { name: 'Lines for a product' })
        .or(page.getByPlaceholder('Choose a product'))
        .first()
        .click()
      await page.getByRole('option', { name: 'BIND' }).click()
      const lines = page.getByTestId('snippet')
      await lines.getByText('rpz.harrier', { exact: false }).first().waitFor(PATIENCE)
      await lines.getByText('The file would be empty.', { exact: false }).waitFor(PATIENCE)
      await lines.getByText('The address is that of this machine').waitFor(PATIENCE)
      expect(await lines.getByRole('button', { name: /^Copy the block for/ }).count()).toBe(4)

      await report('198.51.100.209', -3)
      await page.getByTestId('delta').getByText('198.51.100.209').waitFor(PATIENCE)
      await picture(page, 'feeds-detail')
      await expectAccessible(page)
      const confirm = async (action: string) => {
        await button(page, `${action} …`).click()
        await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
      }
      await confirm('Hold')
      await page.getByTestId('held').getByText('It was held by hand', { exact: false }).waitFor(PATIENCE)
      await picture(page, 'feeds-held')
      await confirm('Release')
      await expect.poll(() => page.getByTestId('held').count(), PATIENCE).toBe(0)

      await button(page, 'Change').click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Edge')
      await button(page, 'Change').click()
      await page.getByRole('heading', { name: 'Edge', exact: true }).waitFor(PATIENCE)
      // What the form did not touch stays.
      const { body: feeds } = await platform.ask('/api/feeds/v1/feeds')
      const kept = { name: 'Edge', description: 'What the edge drops.', guard: { loss: 0.07, gain: 4, from: 100 } }
      expect(feeds.items).toMatchObject([kept])
      await page.setViewportSize(NARROW)
      await expectFits(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectLegible(page)
      await picture(page, 'feeds-detail-narrow')
      await button(page, 'Delete …').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No feeds yet').waitFor(PATIENCE)
      await visit(page, '/feeds?id=00000000-0000-4000-8000-000000000000')
      await page.getByText('No feed that you may read has this id').waitFor(PATIENCE)
      await page.getByRole('link', { name: 'See all feeds' }).click()
      await page.getByText('No feeds yet').waitFor(PATIENCE)
      await button(page, 'New feed').click()
      await button(page, 'Cancel').click()
      expect(await button(page, 'New feed').evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      // The token that ended is refused.
      expect((await fetch(`${platform.url}/api/feeds/v1/t/${token}/items.text`)).status).toBe(401)
      expect(complaints.filter((one) => !one.includes('400') && !one.includes('503'))).toEqual([])
      await close()
    })

    test('a member gives a verdict on the page of an entity, and takes it back', async () => {
      const analyst: User = await newUserOf(platform, { roles: ['user'], groups: [] })
      const billingAddress = {
        street: '1 Main St',
        city: 'Springfield',
        state: 'IL',
        postalCode: '62701',
        country: 'US',
      }
      const acme = { name: 'Acme', email: 'billing@example.com', billingAddress }
      expect((await platform.ask('/api/billing/v1/customer', acme, analyst.headers)).status).toBe(201)
      const { page, close } = await newPage()
      await holdSession(page, analyst.headers)
      await page.goto(`/entity/${entityId('ip', '198.51.100.207')}`)
      await button(page, 'Verdict').click()
      const dialog = page.getByRole('dialog')
      // A pasted reason of two lines is one line.
      await dialog.getByLabel('Reason').fill('Our own\nscanner.')
      const until = dialog.getByLabel('Until the end of')
      const today = await until.getAttribute('min')
      await until.fill(today!)
      await expectAccessible(page)
      await picture(page, 'entity-verdict')
      await dialog.getByRole('button', { name: 'Decide' }).click()
      await expect.poll(() => dialog.count(), PATIENCE).toBe(0)
      const seen = () =>
        platform.ask(`/api/search/v1/entity/${entityId('ip', '198.51.100.207')}`, undefined, analyst.headers)
      expect((await seen()).body).toMatchObject({ reputation: 3, accuracy: 3 })
      await page.getByTestId('decided').getByText('– Our own scanner. (by you)', { exact: false }).waitFor(PATIENCE)
      await page.getByTestId('verdict-decides').getByText('Excellent +3').waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'entity-verdict-evidence')
      await page.getByRole('tab', { name: 'History' }).click()
      const told = page.getByTestId('record-verdict')
      await told.getByText('Verdict given: benign, until').waitFor(PATIENCE)
      expect(await page.getByTestId('records').textContent()).toBe('1')
      await button(page, 'Verdict').click()
      await dialog.getByTestId('verdict').getByText('given by you', { exact: false }).waitFor(PATIENCE)
      expect(await dialog.getByLabel('Reason').inputValue()).toBe('Our own scanner.')
      expect(await until.inputValue()).toBe(today)
      await dialog.getByRole('button', { name: 'Withdraw' }).click()
      await expect.poll(() => dialog.count(), PATIENCE).toBe(0)
      expect((await seen()).body).toMatchObject({ reputation: -3 })
      await told.getByText('Verdict withdrawn').waitFor(PATIENCE)
      expect(await page.getByTestId('decided').count()).toBe(0)
      expect(await page.getByTestId('records').textContent()).toBe('1')
      await picture(page, 'entity-verdict-history')
      await close()
    })
  })
