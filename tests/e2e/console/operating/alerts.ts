import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { expectAccessible, expectFits, expectLegible, picture, visit } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { receiver } from '../../../builders/network/receiver.ts'
import { eventually } from '../../../builders/platform/platform.ts'

const NARROW = { width: 360, height: 740 }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The platform lets webhooks reach private networks. */
export const alertsTests = ({ platform, newPage }: OpenedConsole) =>
  describe('alerts in the console', { timeout: 300_000 }, () => {
    const report = async (value: string, reputation: number, tags: string[]): Promise<void> => {
      const body = { type: 'ip', attributes: { ip: value }, reputation, tags }
      expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
    }
    const known = (value: string) =>
      eventually(
        () => platform.ask(`/api/search/v1/entity/${entityId('ip', value)}`),
        ({ status }) => status === 200,
      )
    const memberOf = async (name: string): Promise<User> => {
      const user = await newUserOf(platform, { roles: ['user'], groups: [] })
      const billingAddress = {
        street: '1 Main St',
        city: 'Springfield',
        state: 'IL',
        postalCode: '62701',
        country: 'US',
      }
      const customer = { name, email: 'billing@example.com', billingAddress }
      expect((await platform.ask('/api/billing/v1/customer', customer, user.headers)).status).toBe(201)
      return user
    }

    test('a watchlist is made, and an alert of it is read, noted, exported and sent', async () => {
      const analyst = await memberOf('Acme')
      const { page, complaints, close } = await newPage()
      await holdSession(page, analyst.headers)
      await page.goto('/alerts')
      await page.getByText('No alerts yet').waitFor(PATIENCE)
      await page.getByRole('link', { name: 'Alerts, none unread' }).waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'alerts-none')
      await page.getByRole('link', { name: 'Create a watchlist' }).click()
      await button(page, 'New watchlist').click()
      await page.getByLabel('Name').fill('Our edge')
      await button(page, 'Create').click()
      await page.getByTestId('no-items').waitFor(PATIENCE)
      await page.getByLabel('Kind').selectOption('cidr')
      await page.getByLabel('What').fill('300.1.1.0/24')
      await button(page, 'Add').click()
      await page.locator('.mantine-TextInput-error').waitFor(PATIENCE)
      await page.getByLabel('What').fill('203[.]0[.]113[.]0/24')
      await page.getByLabel('Reputation').selectOption('-1')
      await button(page, 'Add').click()
      await page.getByTestId('item').getByText('203.0.113.0/24').waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'alerts-watchlist')

      const target = await receiver((response) => void response.end())
      const destination = { name: 'Pager', kind: 'webhook', url: target.url }
      const made = await platform.ask('/api/alerts/v1/destinations', destination, analyst.headers)
      expect(made.status).toBe(201)
      await report('203.0.113.7', -2, ['c2'])
      await eventually(
        () => platform.ask('/api/casework/v1/alerts', undefined, analyst.headers),
        ({ body }) => body.items.length === 1,
      )
      await page.goto('/')
      await readAlert(page)
      await page.goto(`/alerts/destinations?id=${made.body.id}`)
      const delivery = page.getByTestId('delivery')
      await delivery.getByText('delivered', { exact: true }).waitFor(PATIENCE)
      expect(target.received.map(({ body }) => JSON.parse(body.toString()).data.entityValue)).toEqual(['203.0.113.7'])
      await picture(page, 'destinations-deliveries')
      expect(complaints).toEqual([])
      await close()
      await target.close()
    })

    async function readAlert(page: Page): Promise<void> {
      await page.getByRole('link', { name: 'Alerts, 1 unread' }).click(PATIENCE)
      const row = page.getByTestId('alert')
      await row.getByText('203.0.113.7').waitFor(PATIENCE)
      await row.getByText('Network: 203.0.113.0/24').waitFor(PATIENCE)
      await row.getByText('Our edge').waitFor(PATIENCE)
      expect(await row.getAttribute('data-unread')).toBe('true')
      expect(await row.getByRole('link').getAttribute('href')).toBe(`/entity/${entityId('ip', '203.0.113.7')}`)
      await expectAccessible(page)
      await picture(page, 'alerts')

      await row.getByRole('button').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Assigned', { exact: true }).click()
      await dialog.getByLabel('Assigned to').fill('Ada')
      await dialog.getByLabel('Note').fill('=HYPERLINK("x")')
      await expectAccessible(page)
      await picture(page, 'alerts-change')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText('Assigned to Ada').waitFor(PATIENCE)
      await button(page, 'Mark all as read').click()
      await page.getByRole('link', { name: 'Alerts, none unread' }).waitFor(PATIENCE)
      await expect.poll(() => row.getAttribute('data-unread'), PATIENCE).toBe('false')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^CSV/ }).click(),
      ])
      const text = readFileSync(await file.path(), 'utf8')
      expect(text.split('\r\n')).toHaveLength(3)
      expect(text).toContain(`assigned,Ada,"'=HYPERLINK(""x"")",,no`)

      await page.getByText('Handled', { exact: true }).click()
      await page.getByText('No alert fits the filters').waitFor(PATIENCE)
      expect(new URL(page.url()).search).toBe('?state=handled')
      // One watermark is for all states.
      expect(await button(page, 'Mark all as read').count()).toBe(0)
      await visit(page, '/alerts?state=assigned')
      await row.getByText('Assigned to Ada').waitFor(PATIENCE)
      expect(await page.getByTestId('shown').textContent()).toBe('1 shown, 0 unread in all states.')
      await visit(page, '/alerts')
      await row.waitFor(PATIENCE)
      await page.setViewportSize(NARROW)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectFits(page)
      await expectLegible(page)
      await picture(page, 'alerts-dark-360')
    }

    test('what is on the screen is watched from there', async () => {
      const analyst = await memberOf('Watchers')
      await report('198.51.100.7', -2, ['botnet'])
      await known('198.51.100.7')
      const { page, complaints, close } = await newPage()
      await holdSession(page, analyst.headers)
      await page.goto(`/entity/${entityId('ip', '198.51.100.7')}`)
      await button(page, 'Watch').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Everything with the tag botnet').check()
      await dialog.getByLabel('Name of the new watchlist').fill('Bots')
      await expectAccessible(page)
      await picture(page, 'watch')
      await dialog.getByRole('button', { name: 'Watch' }).click()
      await dialog
        .getByTestId('watched')
        .getByText('It was added to the watchlist: Bots', { exact: false })
        .waitFor(PATIENCE)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await visit(page, '/search?q=198.51.100.0%2F24')
      await button(page, 'Watch').click()
      await dialog.getByRole('button', { name: 'Watch' }).click()
      await dialog.getByTestId('watched').waitFor(PATIENCE)
      const { body } = await platform.ask('/api/casework/v1/watchlists', undefined, analyst.headers)
      expect(body).toMatchObject([
        {
          name: 'Bots',
          items: [
            { kind: 'tag', value: 'botnet' },
            { kind: 'cidr', value: '198.51.100.0/24' },
          ],
        },
      ])
      expect(complaints).toEqual([])
      await close()
    })

    test('a destination is made, tested, given a new secret and deleted', async () => {
      const analyst = await memberOf('Senders')
      const target = await receiver((response) => void response.end())
      const { page, complaints, close } = await newPage()
      await holdSession(page, analyst.headers)
      await page.goto('/alerts/destinations')
      await page.getByText('No destinations yet').waitFor(PATIENCE)
      await button(page, 'New destination').click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Pager')
      await page.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com')
      await button(page, 'Create').click()
      await page.locator('.mantine-TextInput-error').waitFor(PATIENCE)
      await page.getByRole('textbox', { name: 'URL' }).fill(target.url)
      await expectAccessible(page)
      await picture(page, 'destinations-new')
      await button(page, 'Create').click()
      const secret = page.getByTestId('secret').locator('code')
      await secret.waitFor(PATIENCE)
      const first = await secret.textContent()
      expect(first).toMatch(/^whsec_[\w+/]{43}=$/)
      await button(page, 'Send a test').click()
      await page.getByText('✓ The test arrived.').waitFor(PATIENCE)
      expect(target.received).toHaveLength(1)
      await expectAccessible(page)
      await picture(page, 'destinations-detail')
      await button(page, 'New secret …').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click()
      await expect.poll(() => secret.textContent(), PATIENCE).not.toBe(first)

      await page.reload()
      await page.getByText('Nothing was sent yet.').waitFor(PATIENCE)
      expect(await secret.count()).toBe(0)
      await page.setViewportSize(NARROW)
      await expectFits(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectLegible(page)
      await picture(page, 'destinations-dark-360')
      await button(page, 'Delete …').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No destinations yet').waitFor(PATIENCE)
      expect(complaints).toEqual([])
      await close()
      await target.close()
    })
  })
