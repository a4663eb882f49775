import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRegistry } from '../../../../cli/wiring/open/registry.ts'
import { loadConfig } from '../../../../platform/config.ts'
import type { BrokerSubmission, FeedRegistration } from '../../../../schemas/intelligence/observations/feed.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { FEEDS, SUBMISSIONS } from '../../../../schemas/log/topics.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
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
import { logOf } from '../../../builders/platform/data-folder.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import { during } from '../../../builders/suite/during.ts'

/** Scans and everything under Operations, as operators have it before them. */
const PHONE = { width: 360, height: 740 }
const TABS = ['', '/lag', '/topics', '/breakers', '/dead-letters', '/audit', '/sources', '/users', '/customers']

/** Of a platform without customers, which may scan a port of this machine that greets. */
export const operationsTests = ({ folder, platform, newPage }: OpenedConsole) =>
  describe('scans and the pages of operators', () => {
    const log = during(() => logOf(folder))
    let user: User
    let encode: { submission: (s: BrokerSubmission) => Buffer; feed: (f: FeedRegistration) => Buffer }

    beforeAll(async () => {
      const { ids, close } = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
      await close()
      encode = { submission: encoder(records.submission, ids.submission), feed: encoder(records.feed, ids.feed) }
      user = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
    })

    const open = async (path: string, as: Record<string, string> = ADMINISTRATOR, options: TabOptions = {}) => {
      const seen = await newPage(options)
      await holdSession(seen.page, as)
      await seen.page.goto(path)
      return seen
    }
    const calm = async (seen: Seen) => {
      expect([...seen.complaints]).toEqual([])
      await seen.close()
    }
    const choose = async (page: Page, label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click(PATIENCE)
      await page.getByRole('option', { name: option, exact: true }).click(PATIENCE)
    }
    const said = (feed: string, domain: string): BrokerSubmission => ({
      feed,
      observedAt: null,
      visibleBy: null,
      type: 'domain',
      attributes: { domain },
      reputation: -2,
      tags: ['late'],
      correlate: [],
      associations: [],
    })

    test('a scan is requested, its page follows it to done, and administrators can repeat it', async () => {
      const seen = await open('/scans', user.headers)
      const { page } = seen
      await page.getByText('No scan yet').waitFor(PATIENCE)
      await page.getByLabel('Address or host').fill('no name')
      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      await page.getByTestId('error-id').waitFor(PATIENCE)
      expect(await page.getByLabel('Address or host').getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('Address or host').fill('127.0.0.1')
      await page.getByRole('button', { name: 'Scan', exact: true }).click()
      const detail = page.getByTestId('scan-detail')
      await expect.poll(() => detail.textContent(), { timeout: 60_000 }).toContain('Done')
      await expect.poll(() => page.getByTestId('scan').textContent(), PATIENCE).toContain('Done')
      const { body } = await platform.ask('/api/ingest/v1/scans', undefined, user.headers)
      expect(body.results[0]).toMatchObject({ target: '127.0.0.1', status: 'done' })
      expect(await detail.getByRole('row', { name: 'Entities reported' }).textContent()).toContain(
        String(body.results[0].entities),
      )
      await picture(page, 'scans-done')
      await expectAccessible(page)
      await calm(seen)

      const all = await open(`/scans?whose=all&id=${body.results[0].id}`)
      await all.page.getByRole('button', { name: 'Scan again' }).click(PATIENCE)
      const ended = async () => (await platform.ask('/api/ingest/v1/admin/scans')).body.results[0].finishedAt
      await expect.poll(ended, PATIENCE).not.toBe(body.results[0].finishedAt)
      // Who asked is named by the mail address; the id is there for who points at it.
      await expect.poll(() => all.page.getByTestId('scan').textContent(), PATIENCE).toContain('@example.com')
      expect(await all.page.getByTestId('scan').getByTitle(user.id).count()).toBe(1)
      await calm(all)
      const narrow = await open('/scans', user.headers, { viewport: PHONE, colorScheme: 'dark' })
      await narrow.page.getByTestId('scan').waitFor(PATIENCE)
      await expectFits(narrow.page)
      await expectLegible(narrow.page)
      await picture(narrow.page, 'scans-narrow-dark')
      await calm(narrow)
    }, 180_000)

    test('dead letters are listed, shown, replayed once their cause is gone, and dropped with a note', async () => {
      const letters = [said('latecomers', 'late.example.com'), said('strangers', 'strange.example.com')]
      await log.send([
        { topic: SUBMISSIONS, messages: letters.map((s, n) => ({ key: `p${n}`, value: encode.submission(s) })) },
      ])
      const waiting = async () =>
        (await platform.ask('/api/admin/v1/dead-letters?state=waiting')).body.letters as {
          id: string
          reason: string
        }[]
      const found = await eventually(waiting, ({ length }) => length === 2, 20_000)
      const { id } = found.find(({ reason }) => reason.includes('latecomers'))!

      const seen = await open('/operations/dead-letters')
      const { page } = seen
      await expect.poll(() => page.getByTestId('letter').count(), PATIENCE).toBe(2)
      await page.getByLabel('Reason contains').fill('latecomers')
      await expect.poll(() => page.getByTestId('letter').count(), PATIENCE).toBe(1)
      expect(page.url()).toContain('reason=latecomers')
      await page.getByRole('button', { name: id }).click()
      const detail = page.getByTestId('letter-detail')
      await detail.getByText('late.example.com').waitFor(PATIENCE)
      expect(await detail.textContent()).toContain('feed latecomers is not registered')
      await picture(page, 'operations-letter')
      await expectAccessible(page)

      const feed = { name: 'latecomers', trust: 0.8, groups: ['public'], registeredAt: 1, owner: null }
      await log.send([{ topic: FEEDS, messages: [{ key: feed.name, value: encode.feed(feed) }] }])
      await detail.getByRole('button', { name: 'Replay', exact: true }).click()
      await picture(page, 'operations-letter-confirm')
      await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click()
      await expect.poll(() => detail.getByTestId('letter-state').textContent(), PATIENCE).toContain('Replayed')
      await eventually(
        () => platform.ask('/api/search/v1/entities/history/simple', { query: 'late.example.com' }),
        ({ status }) => status === 200,
      )

      await page.goto('/operations/dead-letters')
      await expect.poll(() => page.getByTestId('letter').count(), PATIENCE).toBe(1)
      await page.getByLabel('Select all waiting letters (1)').check()
      await page.getByRole('button', { name: 'Drop', exact: true }).click()
      await page.getByRole('dialog').getByLabel('Note').fill('nobody knows them')
      await page.getByRole('dialog').getByRole('button', { name: 'Drop', exact: true }).click()
      await page.getByText('No dead letters').waitFor(PATIENCE)
      expect(await waiting()).toEqual([])
      await choose(page, 'State', 'Dropped')
      await page.getByTestId('letter').getByRole('button').click(PATIENCE)
      await page.getByText('Note: nobody knows them').waitFor(PATIENCE)
      await calm(seen)
    }, 180_000)

    test('a user is made, given a key pair, disabled, and deleted once the mail address is typed', async () => {
      const seen = await open('/operations/users')
      const { page } = seen
      await page.getByRole('button', { name: 'New user' }).click(PATIENCE)
      await page.getByLabel('Email', { exact: false }).last().fill('ada@example.com')
      await page.getByLabel('trusted').check()
      await picture(page, 'operations-user-new')
      await page.getByRole('button', { name: 'Create the user' }).click()
      const detail = page.getByTestId('user-detail')
      await detail.getByText('ada@example.com').waitFor(PATIENCE)
      const listed = async () => (await platform.ask('/auth/v2/admin/users?query=ada%40')).body.users
      expect(await listed()).toMatchObject([{ roles: ['user', 'reporter', 'trusted'], groups: ['public'] }])

      await detail.getByLabel('Name of the key pair').fill('laptop')
      await detail.getByRole('button', { name: 'Issue', exact: true }).click()
      const keys = {
        'api-key': (await detail.getByTestId('new-key').locator('code').textContent(PATIENCE))!,
        'api-secret': (await detail.getByTestId('new-secret').locator('code').textContent(PATIENCE))!,
      }
      expect((await platform.ask('/auth/v2/user', undefined, keys)).body.email).toBe('ada@example.com')
      await expectAccessible(page)
      await detail.getByRole('button', { name: 'I have copied it' }).click()
      expect(await page.content()).not.toContain(keys['api-secret'])

      await detail.getByRole('button', { name: 'Disable', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
      await expect.poll(() => detail.getByTestId('user-state').textContent(), PATIENCE).toContain('disabled')
      expect(await listed()).toMatchObject([{ disabled: true }])
      expect([401, 403]).toContain((await platform.ask('/auth/v2/user', undefined, keys)).status)
      await picture(page, 'operations-user')
      await detail.getByRole('button', { name: 'Delete', exact: true }).click()
      const sure = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
      expect(await sure.isDisabled()).toBe(true)
      await page.getByRole('dialog').getByRole('textbox').fill('ada@example.com')
      await sure.click()
      await expect.poll(async () => (await listed()).length, PATIENCE).toBe(0)
      await calm(seen)
    }, 180_000)

    test('health, lag, topics, breakers, sources and customers say what the platform says; everyone sees the sources', async () => {
      const seen = await open('/operations')
      const { page } = seen
      const { parts } = (await platform.ask('/api/admin/v1/health')).body
      await expect.poll(() => page.getByTestId('part').count(), PATIENCE).toBe(parts.length)
      await picture(page, 'operations-health')
      await visit(page, '/operations/lag')
      await page.getByTestId('total').waitFor(PATIENCE)
      await picture(page, 'operations-lag')
      await visit(page, '/operations/topics')
      const { topics } = (await platform.ask('/api/admin/v1/topics')).body
      await expect.poll(() => page.getByTestId('topic').count(), PATIENCE).toBe(topics.length)
      await visit(page, '/operations/breakers')
      await page.getByText('All breakers are closed').waitFor(PATIENCE)
      await visit(page, '/operations/customers')
      await page.getByText('No customer yet').waitFor(PATIENCE)
      await visit(page, '/operations/sources')
      await expect.poll(() => page.getByTestId('source').count(), PATIENCE).toBeGreaterThan(0)
      await page.getByRole('button', { name: 'Fresh' }).click()
      await expect.poll(() => page.url(), PATIENCE).toContain('sort=freshness')
      await picture(page, 'operations-sources')
      await calm(seen)

      const nobody = await newPage()
      await nobody.page.goto('/operations/sources')
      await nobody.page.getByTestId('source').filter({ hasText: 'latecomers' }).waitFor(PATIENCE)
      await visit(nobody.page, '/operations')
      await nobody.page.getByText('Sign in to see this').waitFor(PATIENCE)
      await calm(nobody)
      const other = await open('/operations', user.headers)
      await other.page.getByText('you need the role auth_admin').waitFor(PATIENCE)
      await picture(other.page, 'operations-not-for-you')
      await calm(other)
    }, 180_000)

    test('every tab fits a narrow window and is legible in light and dark', async () => {
      const seen = await open('/operations', ADMINISTRATOR, { viewport: PHONE })
      const { page } = seen
      const title = page.getByRole('heading', { level: 1 })
      let left: string | null = null
      for (const tab of TABS) {
        await page.emulateMedia({ colorScheme: 'light' })
        if (tab !== '') await visit(page, `/operations${tab}`)
        await expect.poll(() => title.textContent(), PATIENCE).not.toBe(left)
        left = await title.textContent()
        await expectFits(page)
        await expectAccessible(page)
        await page.emulateMedia({ colorScheme: 'dark' })
        await expectLegible(page)
        await picture(page, `operations${tab.replace('/', '-')}-narrow-dark`)
      }
      await calm(seen)
    }, 240_000)
  })
