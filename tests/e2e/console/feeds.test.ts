import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { expectAccessible, expectFits, hasBrowser, picture, signInWithKeys } from '../../builders/console/browser.ts'
import { openConsole } from '../../builders/console/console.ts'
import { ADMINISTRATOR, eventually } from '../../builders/platform/platform.ts'

const WITHIN = { timeout: 20_000 }
const NARROW = { width: 360, height: 740 }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe.skipIf(!hasBrowser())('feeds in the console', { timeout: 240_000 }, () => {
  const { platform, newPage } = openConsole()
  const report = (value: string, reputation: number) =>
    platform.ask('/api/ingest/v1/entity', { type: 'ip', attributes: { ip: value }, reputation, tags: ['c2'] })

  test('a feed is defined with a preview, read by a device, held, released and deleted', async () => {
    await report('203.0.113.7', -3)
    await report('203.0.113.8', 2)
    const found = () => platform.ask(`/api/search/v1/entity/${entityId('ip', '203.0.113.8')}`)
    await eventually(found, ({ status }) => status === 200)
    const { page, complaints, close } = await newPage()
    await signInWithKeys(page, ADMINISTRATOR, '/feeds')
    await page.getByText('No feeds yet').waitFor(WITHIN)
    await button(page, 'New feed').click()
    const preview = page.getByTestId('preview')
    await preview.getByText('1 entity now').waitFor(WITHIN)
    await preview.getByText('203.0.113.7').waitFor(WITHIN)
    await page.getByLabel('Reputation to').fill('3')
    await preview.getByText('2 entities now').waitFor(WITHIN)
    await page.getByLabel('Reputation to').fill('-1')
    await page.getByLabel('Seen within').fill('soon')
    await preview.getByText('seenWithin', { exact: false }).waitFor(WITHIN)
    await page.getByLabel('Seen within').fill('30d')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Edge block list')
    await picture(page, 'feeds-new')
    await expectAccessible(page)
    await button(page, 'Publish').click()
    await page.getByTestId('feed-detail').getByText('live').waitFor(WITHIN)

    await page.getByRole('textbox', { name: 'Device', exact: true }).fill('Edge firewall')
    await button(page, 'Make a download token').click()
    const token = await page.getByTestId('new-token').locator('code').textContent()
    expect(token).toMatch(/^hft_/)
    await page.getByText(`/t/${token}/items.text`).first().waitFor(WITHIN)
    const list = async () => (await fetch(`${platform.url}/api/feeds/v1/t/${token}/items.text`)).text()
    expect(await list()).toBe('203.0.113.7\n')
    await page
      .getByRole('combobox', { name: 'Lines for a product' })
      .or(page.getByPlaceholder('Choose a product'))
      .first()
      .click()
    await page.getByRole('option', { name: 'BIND' }).click()
    await page.getByTestId('snippet').getByText('rpz.harrier', { exact: false }).first().waitFor(WITHIN)

    await report('203.0.113.9', -3)
    await page.getByTestId('delta').getByText('203.0.113.9').waitFor(WITHIN)
    await picture(page, 'feeds-detail')
    await expectAccessible(page)
    await button(page, 'Hold').click()
    await page.getByTestId('held').waitFor(WITHIN)
    await button(page, 'Release').click()
    await expect.poll(() => page.getByTestId('held').count(), WITHIN).toBe(0)

    await button(page, 'Change').click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Edge')
    await button(page, 'Change').click()
    await page.getByRole('heading', { name: 'Edge', exact: true }).waitFor(WITHIN)
    await page.setViewportSize(NARROW)
    await expectFits(page)
    await button(page, 'Delete …').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No feeds yet').waitFor(WITHIN)
    // The token that ended is refused.
    expect((await fetch(`${platform.url}/api/feeds/v1/t/${token}/items.text`)).status).toBe(401)
    expect(complaints.filter((one) => !one.includes('400') && !one.includes('503'))).toEqual([])
    await close()
  })

  test('a member gives a verdict on the page of an entity, and takes it back', async () => {
    const analyst: User = await newUserOf(platform, { roles: ['user'], groups: [] })
    const billingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
    const acme = { name: 'Acme', email: 'billing@example.com', billingAddress }
    expect((await platform.ask('/api/billing/v1/customer', acme, analyst.headers)).status).toBe(201)
    const { page, close } = await newPage()
    await signInWithKeys(page, analyst.headers as typeof ADMINISTRATOR, `/entity/${entityId('ip', '203.0.113.7')}`)
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
    await expect.poll(() => dialog.count(), WITHIN).toBe(0)
    const seen = () =>
      platform.ask(`/api/search/v1/entity/${entityId('ip', '203.0.113.7')}`, undefined, analyst.headers)
    expect((await seen()).body).toMatchObject({ reputation: 3, accuracy: 3 })
    await page.getByTestId('decided').getByText('– Our own scanner. (by you)', { exact: false }).waitFor(WITHIN)
    await page.getByTestId('verdict-decides').getByText('Excellent +3').waitFor(WITHIN)
    await expectAccessible(page)
    await picture(page, 'entity-verdict-evidence')
    await page.getByRole('tab', { name: 'History' }).click()
    const told = page.getByTestId('record-verdict')
    await told.getByText('Verdict given: benign, until').waitFor(WITHIN)
    expect(await page.getByTestId('records').textContent()).toBe('1')
    await button(page, 'Verdict').click()
    await dialog.getByTestId('verdict').getByText('given by you', { exact: false }).waitFor(WITHIN)
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Our own scanner.')
    expect(await until.inputValue()).toBe(today)
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await expect.poll(() => dialog.count(), WITHIN).toBe(0)
    expect((await seen()).body).toMatchObject({ reputation: -3 })
    await told.getByText('Verdict taken back').waitFor(WITHIN)
    expect(await page.getByTestId('decided').count()).toBe(0)
    expect(await page.getByTestId('records').textContent()).toBe('1')
    await picture(page, 'entity-verdict-history')
    await close()
  })
})
