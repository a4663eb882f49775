import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRegistry } from '../../../../cli/wiring/open/registry.ts'
import { loadConfig } from '../../../../platform/config.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { SUBMISSIONS } from '../../../../schemas/log/topics.ts'
import { registered } from '../../../builders/accounts/mailed-code.ts'
import { ADDRESS } from '../../../builders/accounts/team.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { expectAccessible, expectFits, picture, type Seen, visit } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import type { TabOptions } from '../../../builders/console/tabs.ts'
import { logOf } from '../../../builders/platform/data-folder.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import { during } from '../../../builders/suite/during.ts'

/** What owners and operators find at their desk: addresses that are none, what waits, names, countries, empty lists. */
const PHONE = { width: 390, height: 844 }

export const deskTests = ({ folder, platform, newPage }: OpenedConsole) =>
  describe('the desk of owners and operators', () => {
    const log = during(() => logOf(folder))
    let alone: User

    beforeAll(async () => {
      alone = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['public'] })
    })

    const open = async (path: string, as: Record<string, string> | null, options: TabOptions = {}) => {
      const seen = await newPage(options)
      if (as !== null) await holdSession(seen.page, as)
      const response = await seen.page.goto(path)
      return { ...seen, status: response!.status() }
    }
    const calm = async (seen: Seen) => {
      expect([...seen.complaints]).toEqual([])
      await seen.close()
    }
    const looksRight = async (page: Page, name: string) => {
      await expectFits(page)
      await expectAccessible(page)
      await picture(page, name)
    }

    test('an unknown address is a page of the console with 404, a way back and a search box', async () => {
      const seen = await open('/nowhere/at-all', null, { viewport: PHONE, colorScheme: 'dark' })
      const { page } = seen
      expect(seen.status).toBe(404)
      await page.getByRole('heading', { name: 'No such page' }).waitFor(PATIENCE)
      await page.getByText('/nowhere/at-all').waitFor(PATIENCE)
      await looksRight(page, 'desk-no-such-page-narrow-dark')
      await page.getByRole('link', { name: 'Overview' }).last().waitFor(PATIENCE)
      const box = page.getByRole('textbox', { name: 'Search Harrier for a value' })
      await box.fill('198.51.100.77')
      await box.press('Enter')
      await page.waitForURL('**/search?q=198.51.100.77')
      await calm(seen)

      const section = await open('/account/nothing', alone.headers)
      expect(section.status).toBe(404)
      await section.page.getByRole('heading', { name: 'No such page' }).waitFor(PATIENCE)
      await calm(section)
      const api = await platform.ask('/api/nowhere')
      expect([api.status, api.body.error.code]).toEqual([404, 'not_found'])
    })

    test('badges say what waits, to operators alone, and go with it', async () => {
      const seen = await open('/operations', ADMINISTRATOR)
      const { page } = seen
      await page.getByTestId('part').first().waitFor(PATIENCE)
      expect(await page.getByTestId('waits').count()).toBe(0)

      const { ids, close } = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
      await close()
      const encode = encoder(records.submission, ids.submission)
      const said = { observedAt: null, visibleBy: null, reputation: -2, tags: [], correlate: [], associations: [] }
      const bad = ['a', 'b'].map((name) => ({
        key: name,
        value: encode({ ...said, feed: 'strangers', type: 'domain', attributes: { domain: `${name}.example.com` } }),
      }))
      await log.send([{ topic: SUBMISSIONS, messages: bad }])
      const waiting = async () => (await platform.ask('/api/admin/v1/waiting')).body
      await eventually(waiting, ({ deadLetters }) => deadLetters === 2, 20_000)
      expect(await waiting()).toEqual({ deadLetters: 2, breakers: 0, isolatedSources: 0, heldFeeds: 0 })

      await page.goto('/operations/dead-letters')
      const pages = page.getByRole('navigation', { name: 'Pages' })
      await pages.getByRole('link', { name: 'Operations , 2 dead letters wait' }).waitFor(PATIENCE)
      const tab = page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: /^Dead letters/ })
      expect(await tab.getByTestId('waits').textContent()).toBe('2')
      expect(await page.getByRole('status').filter({ hasText: '2 dead letters wait' }).count()).toBe(1)
      await looksRight(page, 'desk-badges')
      await page.setViewportSize(PHONE)
      await expectFits(page)
      await picture(page, 'desk-badges-narrow')
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByLabel('Reason contains').fill('nothing like it')
      await page.getByText('No dead letter fits').waitFor(PATIENCE)
      await page.getByLabel('Reason contains').fill('')
      await page.getByLabel('Select all waiting letters (2)').check(PATIENCE)
      await page.getByRole('button', { name: 'Drop 2', exact: true }).click()
      await page.getByRole('dialog').getByLabel('Note').fill('nobody knows them')
      await page.getByRole('dialog').getByRole('button', { name: 'Drop', exact: true }).click()
      await expect.poll(() => page.getByTestId('waits').count(), PATIENCE).toBe(0)
      await page.getByText('No letter waits').waitFor(PATIENCE)
      await calm(seen)

      const other = await open('/operations/sources', alone.headers)
      await other.page.getByRole('heading', { name: 'What the figures mean' }).waitFor(PATIENCE)
      expect(await other.page.getByTestId('waits').count()).toBe(0)
      await calm(other)
    }, 180_000)

    test('a held feed is at the entry of the feeds until it is released', async () => {
      const selector = { types: ['ip'], reputation: { lte: -1 } }
      const { body: feed } = await platform.ask('/api/feeds/v1/feeds', { name: 'Perimeter', selector }, alone.headers)
      const state = async () =>
        (await platform.ask(`/api/feeds/v1/feeds/${feed.id}`, undefined, alone.headers)).body.state
      await eventually(state, (is) => is === 'live')
      await platform.ask(`/api/feeds/v1/feeds/${feed.id}/hold`, {}, alone.headers)
      await eventually(state, (is) => is === 'held')
      const seen = await open('/', alone.headers)
      await seen.page.getByRole('link', { name: 'Feeds , 1 feed is held' }).waitFor(PATIENCE)
      await calm(seen)
    })

    test('the audit log calls people by name, with the id behind it', async () => {
      const seen = await open('/operations/audit', ADMINISTRATOR)
      const { page } = seen
      const row = page
        .getByTestId('audit-record')
        .filter({ has: page.getByTitle(alone.id) })
        .first()
      await expect.poll(() => row.textContent(), PATIENCE).toContain('@example.com')
      expect(await row.textContent()).not.toContain(alone.id)
      await page.getByText('Administrator', { exact: true }).first().waitFor(PATIENCE)
      await expectFits(page)
      await picture(page, 'desk-audit')
      await visit(page, '/operations/audit?action=nothing.like-it')
      await page.getByText('No record fits').waitFor(PATIENCE)
      await calm(seen)
    })

    test('who is in no team is told why there are no saved searches, and what to do', async () => {
      const seen = await open('/search', alone.headers, { viewport: PHONE })
      const { page } = seen
      await page.getByRole('button', { name: 'Saved searches', exact: true }).click(PATIENCE)
      const told = page.getByTestId('needs-team')
      await told.getByText('You are in no team').waitFor(PATIENCE)
      expect(await page.getByRole('alert').count()).toBe(0)
      await looksRight(page, 'desk-saved-no-team-narrow')
      await told.getByRole('link', { name: 'Create a team or accept an invitation' }).click()
      await page.waitForURL('**/account/team')
      await calm(seen)
    })

    test('countries are given by name or code, and a bad one says what is meant', async () => {
      const seen = await open('/report', alone.headers)
      const { page } = seen
      await page.getByRole('combobox', { name: 'Add an attribute' }).click(PATIENCE)
      await page.getByRole('combobox', { name: 'Add an attribute' }).fill('country')
      await page
        .getByRole('option', { name: /country/i })
        .first()
        .click()
      const field = page.locator('[data-param="attributes.country"]')
      await field.fill('Germny')
      await field.blur()
      await page.getByText('Did you mean Germany?').waitFor(PATIENCE)
      await looksRight(page, 'desk-country')
      for (const typed of ['de', 'germany', 'DE']) {
        await field.fill(typed)
        await field.blur()
        await expect.poll(() => field.inputValue(), PATIENCE).toBe('Germany')
      }
      await calm(seen)
    })

    test('an operator adds a member by the address that the user has verified', async () => {
      const owner = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
      const customer = { name: 'Acme', email: 'billing@example.com', billingAddress: ADDRESS }
      expect((await platform.ask('/api/billing/v1/customer', customer, owner.headers)).status).toBe(201)
      const eve = await registered(platform, 'eve@example.com', 'eve')
      const seen = await open('/operations/customers', ADMINISTRATOR)
      const { page } = seen
      await page.getByRole('button', { name: 'Acme' }).click(PATIENCE)
      const named = page.getByLabel('Email address or user id')
      const add = page.getByRole('button', { name: 'Add', exact: true })
      await named.fill('nobody@example.com')
      await add.click()
      await page.getByRole('alert').getByText('no user has this address', { exact: false }).waitFor(PATIENCE)
      await named.fill('EVE@example.com')
      await add.click()
      await page.getByText('Added.').waitFor(PATIENCE)
      const { members } = (await platform.ask('/api/billing/v1/customer/members', undefined, owner.headers)).body
      expect(members.map(({ userID }: { userID: string }) => userID)).toContain(eve.userID)
      await expectAccessible(page)
      await calm(seen)
    })
  })
