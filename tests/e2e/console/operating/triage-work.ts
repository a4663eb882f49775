import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { expectAccessible, expectFits, expectLegible, picture } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** What two members of one team do about the same list. */
export const triageWorkTests = ({ platform, newPage }: OpenedConsole) =>
  describe('the work of triage', () => {
    let ana: User
    let ben: User
    /** Entities that are listed beside those of these tests. */
    let others: number

    const report = async (n: number, reputation: number): Promise<void> => {
      const body = { type: 'ip', attributes: { ip: `203.0.113.${n}` }, reputation }
      expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
    }
    const reputationOf = (n: number, wanted: number) =>
      eventually(
        () => platform.ask(`/api/search/v1/entity/${entityId('ip', `203.0.113.${n}`)}`, undefined, null),
        ({ status, body }) => status === 200 && body.reputation === wanted,
      )

    beforeAll(async () => {
      ;[ana, ben] = (await Promise.all([1, 2].map(() => newUserOf(platform, { roles: ['user'], groups: [] })))) as [
        User,
        User,
      ]
      const billingAddress = {
        street: '1 Main St',
        city: 'Springfield',
        state: 'IL',
        postalCode: '62701',
        country: 'US',
      }
      const customer = { name: 'Acme', email: 'billing@example.com', billingAddress }
      expect((await platform.ask('/api/billing/v1/customer', customer, ana.headers)).status).toBe(201)
      const member = { userID: ben.id, role: 'user' }
      expect((await platform.ask('/api/billing/v1/customer/member', member, ana.headers)).status).toBe(201)
      expect((await platform.ask('/api/billing/v1/customer/accept', {}, ben.headers)).status).toBe(204)
      others = (await platform.ask('/api/analytics/v1/recent?limit=100', undefined, ana.headers)).body.items.length
      for (let n = 1; n <= 6; n++) await report(n, -2)
      await reputationOf(6, -2)
    })

    async function seenBy(who: User, options = {}) {
      const seen = await newPage(options)
      await holdSession(seen.page, who.headers)
      await seen.page.goto('/triage')
      await seen.page.getByTestId('open-count').waitFor(PATIENCE)
      return seen
    }
    const row = (page: Page, n: number) =>
      page.getByTestId('row').filter({ hasText: new RegExp(`203\\.0\\.113\\.${n}(?!\\d)`) })
    const count = (page: Page) => page.getByTestId('open-count').textContent()
    const rows = (page: Page) => page.getByTestId('row').count()

    test('what one member handles, assigns and notes by keys is what the other one sees', async () => {
      const { page, complaints, close } = await seenBy(ana)
      await expect.poll(() => count(page), PATIENCE).toBe(`${others + 6} open, 0 assigned to you, 0 handled`)
      await page.keyboard.press('j')
      await page.keyboard.press('e')
      await expect.poll(() => count(page), PATIENCE).toBe(`${others + 5} open, 0 assigned to you, 1 handled`)
      expect(await rows(page)).toBe(others + 5)
      await page.getByTestId('undo').click()
      await expect.poll(() => count(page), PATIENCE).toBe(`${others + 6} open, 0 assigned to you, 0 handled`)

      await row(page, 2).getByRole('link').focus()
      await page.keyboard.press('x')
      await row(page, 4)
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] })
      expect(await page.getByTestId('selection').textContent()).toContain('3 entities selected')
      await expectAccessible(page)
      await picture(page, 'triage-selected')
      await page.keyboard.press('a')
      await page.getByLabel('Assigned to').selectOption(ben.id)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => page.getByTestId('work').count(), PATIENCE).toBe(3)

      await row(page, 5).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Note' }).click()
      await page.getByRole('textbox', { name: 'Note' }).fill('Blocked at the gateway.')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => row(page, 5).textContent(), PATIENCE).toContain('note: Blocked at the gateway.')

      const other = await seenBy(ben)
      await expect.poll(() => count(other.page), PATIENCE).toBe(`${others + 6} open, 3 assigned to you, 0 handled`)
      await other.page.getByLabel('Work').selectOption('mine')
      await expect.poll(() => rows(other.page), PATIENCE).toBe(3)
      await other.page.getByLabel('Select all listed entities').check()
      await other.page.getByRole('button', { name: 'Handled', exact: true }).click()
      await other.page.getByText('Nothing is assigned to you').waitFor(PATIENCE)
      await expect.poll(() => count(other.page), PATIENCE).toBe(`${others + 3} open, 0 assigned to you, 3 handled`)
      expect([...complaints, ...other.complaints]).toEqual([])
      await Promise.all([close(), other.close()])
    })

    test('what was handled comes back when its score gets worse, with the old and the new one', async () => {
      await report(3, -3)
      await reputationOf(3, -3)
      const { page, complaints, close } = await seenBy(ana)
      await expect.poll(() => count(page), PATIENCE).toBe(`${others + 4} open, 0 assigned to you, 2 handled`)
      expect(await row(page, 3).textContent()).toMatch(/worse since .+ handled it: Bad −2 → Alarming −3/)
      await picture(page, 'triage-worse')
      expect(complaints).toEqual([])
      await close()
    })

    test('a movement shows the old and the new score, and the list is kept as a file as it is filtered', async () => {
      const { page, complaints, close } = await seenBy(ana, { clock: true })
      await report(6, -3)
      await reputationOf(6, -3)
      await expect
        .poll(async () => {
          await page.clock.fastForward(16_000)
          return row(page, 6).textContent()
        }, PATIENCE)
        .toMatch(/Alarming −3.*was Bad −2/)
      await page.getByLabel('Text').fill('113.6')
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV of the 1 listed' }).click()
      const [head, ...lines] = readFileSync(await (await saved).path(), 'utf8')
        .trim()
        .split('\r\n')
      expect(head).toMatch(/^id,type,value,reputation,previous_reputation,/)
      expect(lines).toEqual([expect.stringMatching(/^ip-[0-9a-f]{64},ip,203\.0\.113\.6,-3,-2,/)])
      expect(complaints).toEqual([])
      await close()
    })

    test('one verdict is given on several, and what is refused is named', async () => {
      const { page, complaints, close } = await seenBy(ben)
      await page.getByLabel('Text').fill('113.1')
      await row(page, 1).getByRole('checkbox').check()
      await page.getByLabel('Text').fill('')
      await row(page, 6).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Verdict' }).click()
      await page.getByLabel('Reason').fill('Our own scanners.')
      await expectAccessible(page)
      await picture(page, 'triage-verdict')
      const refused = (url: URL) => url.pathname.endsWith(entityId('ip', '203.0.113.1'))
      await page.route(refused, (route) =>
        route.fulfill({ status: 404, json: { error: { message: 'no such entity' } } }),
      )
      await page.getByRole('button', { name: 'Decide' }).click()
      await expect
        .poll(() => page.getByTestId('verdict-progress').textContent(), PATIENCE)
        .toMatch(/1 of 2 decided, 1 refused:.*203\.0\.113\.1/)
      await page.unroute(refused)
      await page.getByRole('button', { name: 'Decide' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden', ...PATIENCE })
      const decided = await platform.ask(
        `/api/casework/v1/verdicts/${entityId('ip', '203.0.113.1')}`,
        undefined,
        ana.headers,
      )
      expect(decided.body).toMatchObject({ verdict: 'benign', reason: 'Our own scanners.' })
      expect(complaints).toEqual([])
      await close()
    })

    test('fits a telephone, and is legible in the dark', async () => {
      const { page, complaints, close } = await seenBy(ana, { viewport: { width: 390, height: 844 } })
      await page.getByTestId('row').first().getByRole('checkbox').check()
      await page.getByTestId('selection').waitFor(PATIENCE)
      await expectFits(page)
      await picture(page, 'triage-work-light-390')
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectLegible(page)
      await picture(page, 'triage-work-dark-390')
      expect(complaints).toEqual([])
      await close()
    })
  })
