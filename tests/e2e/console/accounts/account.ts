import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { mailedCode, mailedInvitation, registered } from '../../../builders/accounts/mailed-code.ts'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  expectRefreshed,
  picture,
  visit,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdBearer, holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { prepared } from '../../../builders/suite/during.ts'

const NARROW = { width: 360, height: 740 }
/** Days do not end within a test, or once in a hundred thousand. */
const limits = (value: number) => ({
  'search-api': { history_search_per_minute: { value, window: 'day', description: 'Searches of history.' } },
})
const SEARCH = '/api/search/v1/entities/history/simple'
const ACME = {
  'Name of the team': 'Acme Threat Research',
  'Billing email': 'billing@example.com',
  Street: '1 Main St',
  'Postal code': '62701',
  City: 'Springfield',
  Country: 'US',
}

type Session = Awaited<ReturnType<typeof registered>>

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor(PATIENCE)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Tiers whose limits these tests reach: a file in `folder`, and the setting that names it. */
export function smallTiers(folder: string): Record<string, string> {
  const file = join(folder, 'tiers.json')
  writeFileSync(file, JSON.stringify({ tiers: { Public: { limits: limits(5) }, Free: { limits: limits(50) } } }))
  return { HARRIER_TIERS_FILE: file }
}

/** Of a platform with `smallTiers`, which nobody has searched without signing in. */
export const accountTests = ({ folder, platform, newPage }: OpenedConsole) =>
  describe('the account', { timeout: 240_000 }, () => {
    const ada = prepared(() => registered(platform, 'ada@example.com', 'ada'))
    const bob = prepared(() => registered(platform, 'bob@example.com', 'bob'))

    /** A page with the credentials that the sign-in form would keep in the tab. */
    async function pageOf(session: Session, options: Parameters<typeof newPage>[0] = {}) {
      const seen = await newPage(options)
      await holdBearer(seen.page, session)
      return seen
    }
    const ask = (session: Record<string, string>, path: string, body?: unknown) => platform.ask(path, body, session)
    const search = (as: Record<string, string> | null) => platform.ask(SEARCH, { query: 'nothing-like-it.example' }, as)

    test('anonymous callers see the limits of their address count up, and are invited elsewhere', async () => {
      const { page, complaints, close } = await newPage({ clock: true })
      await page.goto('/account/limits')
      await heading(page, 'Limits')
      const bar = page.getByTestId('usage-history_search_per_minute')
      await bar.getByText('0 of 5 used, 5 left').waitFor(PATIENCE)
      expect(await page.getByTestId('whose').textContent()).toContain('127.0.0.1')
      for (let i = 0; i < 4; i++) await search(null)
      await expectRefreshed(page, () => bar.textContent()).toContain('4 of 5 used, 1 left')
      expect(await bar.getAttribute('data-state')).toBe('high')
      for (let i = 0; i < 2; i++) await search(null)
      await expectRefreshed(page, () => bar.textContent()).toContain('5 of 5 used, 0 left')
      await bar.getByText('reached', { exact: true }).waitFor(PATIENCE)
      await picture(page, 'account-limits-anonymous')
      await expectAccessible(page)
      await page.getByText('In use 1', { exact: true }).click()
      await expect.poll(() => page.getByTestId('usage-overview_per_minute').count(), PATIENCE).toBe(0)
      await bar.waitFor(PATIENCE)
      expect(new URL(page.url()).search).toBe('?show=used')
      await visit(page, '/account/team')
      await page.getByText('Sign in to see this').waitFor(PATIENCE)
      expect(complaints).toEqual([])
      await close()
    })

    test('a team is founded, and what its owner changes is seen by both', async () => {
      const one = await pageOf(ada, { clock: true })
      const two = await pageOf(bob, { viewport: NARROW, clock: true })
      await one.page.goto('/account/team')
      await two.page.goto('/account/team')
      await two.page.getByText(bob.userID).waitFor(PATIENCE)
      await picture(one.page, 'account-team-none')
      await expectAccessible(one.page)
      await button(one.page, 'Create the team').click()
      await one.page.getByText('Required').first().waitFor(PATIENCE)
      for (const [label, text] of Object.entries(ACME)) await one.page.getByLabel(label).first().fill(text)
      await button(one.page, 'Create the team').click()
      await one.page.getByTestId('team').getByText('Acme Threat Research').waitFor(PATIENCE)
      await one.page.getByText('You are the only owner').first().waitFor(PATIENCE)

      expect(await button(one.page, 'Leave the team …').isDisabled()).toBe(true)

      const newMember = one.page.getByLabel('Email address or user id')
      await newMember.fill('bob')
      await one.page.getByText('Enter an address such as').waitFor(PATIENCE)
      await newMember.fill('01234567-89ab-cdef-0123-456789abcdef')
      await button(one.page, 'Add').click()
      await one.page.getByText('UserID: no such user').waitFor(PATIENCE)
      await newMember.fill(bob.userID)
      await button(one.page, 'Add').click()
      const row = one.page.getByTestId(`member-${bob.userID}`)
      await row.waitFor(PATIENCE)
      // The other page refreshes without any input.
      const invited = two.page.getByTestId('membership').getByText('You are invited to the team Acme Threat Research')
      await expectRefreshed(two.page, () => invited.isVisible()).toBe(true)
      // It is known by its id until it accepts, and is shown nothing of the team.
      await row.getByText(bob.userID).waitFor(PATIENCE)
      await row.getByText('not accepted').waitFor(PATIENCE)
      expect(await two.page.getByTestId('team').count()).toBe(0)
      await picture(two.page, 'account-team-added-narrow')
      await expectAccessible(two.page)
      await button(two.page, 'Accept').click()
      await expect.poll(() => two.page.getByTestId('membership').count(), PATIENCE).toBe(0)
      await two.page.getByTestId(`member-${ada.userID}`).getByText('ada@example.com').waitFor(PATIENCE)
      const address = row.getByText('bob@example.com')
      await expectRefreshed(one.page, () => address.isVisible()).toBe(true)

      await row.getByRole('combobox').click()
      await one.page.getByRole('option', { name: 'admin' }).click()
      const asks = one.page.getByRole('dialog')
      await asks.getByText('cannot make admins').waitFor(PATIENCE)
      await picture(one.page, 'account-team-role')
      await expectAccessible(one.page)
      await asks.getByRole('button', { name: 'Change the role' }).click()
      const adds = two.page.getByRole('heading', { name: 'Add a member' })
      await expectRefreshed(two.page, () => adds.isVisible()).toBe(true)
      await picture(one.page, 'account-team-owner')
      await expectAccessible(one.page)
      await two.page.getByTestId(`member-${ada.userID}`).waitFor(PATIENCE)
      await expectFits(two.page)
      await picture(two.page, 'account-team-admin-narrow')
      const roles = async () => (await ask(ada, '/api/billing/v1/customer/members')).body.members
      expect(await roles()).toMatchObject([{ role: 'owner' }, { userID: bob.userID, role: 'admin' }])

      await row.getByRole('button', { name: 'Make owner' }).click()
      const dialog = one.page.getByRole('dialog')
      await dialog.getByText('becomes the owner').waitFor(PATIENCE)
      await picture(one.page, 'account-team-transfer')
      expect(await dialog.getByRole('button', { name: 'Transfer ownership' }).isDisabled()).toBe(true)
      await dialog.getByRole('textbox').fill('transfer')
      await dialog.getByRole('button', { name: 'Transfer ownership' }).click()
      await expectRefreshed(two.page, () => button(two.page, 'Delete the team …').isVisible()).toBe(true)
      await expect.poll(() => button(one.page, 'Delete the team …').count(), PATIENCE).toBe(0)
      expect(await roles()).toMatchObject([{ role: 'admin' }, { userID: bob.userID, role: 'owner' }])

      await button(one.page, 'Leave the team …').click()
      await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
      await one.page.getByText('Join a team').waitFor(PATIENCE)
      await expectRefreshed(two.page, () => two.page.getByTestId(`member-${ada.userID}`).count()).toBe(0)
      expect([...one.complaints, ...two.complaints]).toEqual([])
      await one.close()
      await two.close()
    })

    test('an invited address signs in by the link of its mail and accepts; one that is taken back does not', async () => {
      const one = await pageOf(bob)
      await one.page.goto('/account/team')
      for (const email of ['ada@example.com', 'eve@example.com']) {
        await one.page.getByLabel('Email address or user id').fill(email)
        await button(one.page, 'Invite').click()
        await one.page.getByRole('row', { name: email }).waitFor(PATIENCE)
      }
      await picture(one.page, 'account-team-invitations')
      await expectAccessible(one.page)
      await button(one.page, 'Withdraw the invitation to eve@example.com …').click()
      await one.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
      await expect.poll(() => one.page.getByRole('row', { name: 'eve@example.com' }).count(), PATIENCE).toBe(0)

      const link = (email: string) => `/account/team#invitation=${mailedInvitation(folder, email)}`
      const two = await newPage({ viewport: NARROW, colorScheme: 'dark' })
      await two.page.goto(link('ada@example.com'))
      await two.page.getByText('You are invited to a team. Sign in or register').waitFor(PATIENCE)
      expect(new URL(two.page.url()).hash).toBe('')
      await holdBearer(two.page, ada)
      await two.page.reload()
      await two.page.getByText('You are invited to a team').waitFor(PATIENCE)
      expect((await ask(ada, '/api/billing/v1/customer')).status).toBe(404)
      await expectFits(two.page)
      await picture(two.page, 'account-team-invited-narrow')
      await expectAccessible(two.page)
      await button(two.page, 'Accept').click()
      await two.page.getByTestId('team').getByText('Acme Threat Research').waitFor(PATIENCE)
      expect(await two.page.getByTestId('invitation').count()).toBe(0)
      await two.page.goto('/account')
      await two.page.goto(link('eve@example.com'))
      await button(two.page, 'Accept').click()
      await two.page.getByText('This invitation cannot be used').waitFor(PATIENCE)
      await button(two.page, 'Not now').click()
      await expect.poll(() => two.page.getByTestId('invitation').count(), PATIENCE).toBe(0)
      await button(two.page, 'Leave the team …').click()
      await two.page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
      await two.page.getByText('Join a team').waitFor(PATIENCE)
      expect([...one.complaints, ...two.complaints]).toEqual([])
      await one.close()
      await two.close()
    })

    test('an owner orders a plan, sees limits and quotas of the team, and ends it', async () => {
      const { page, complaints, close } = await pageOf(bob, { colorScheme: 'dark' })
      await page.goto('/account/plan')
      await page.getByTestId('tier').getByText('Free').waitFor(PATIENCE)
      await page.getByLabel('Quantity').fill('3')
      await button(page, 'Order …').click()
      await page.getByRole('dialog').getByText('Order Pro × 3?').waitFor(PATIENCE)
      await page.getByRole('dialog').getByRole('button', { name: 'Order' }).click()
      await page.getByTestId('tier').getByText('Pro').waitFor(PATIENCE)
      await button(page, 'Open the billing portal').click()
      await page.getByText('This platform has no payment provider').waitFor(PATIENCE)
      await picture(page, 'account-plan-dark')
      await expectAccessible(page)

      const { value } = (await ask(bob, '/api/billing/v1/quotas/compute-api/max_instances')).body
      const made = await ask(bob, '/api/casework/v1/cases', { title: 'One case' })
      expect(made.status).toBe(201)
      await visit(page, '/account/quotas')
      await page.getByTestId('usage-max_instances').getByText(`0 of ${value} used`).waitFor(PATIENCE)
      await page.getByTestId('usage-max_cases').getByText('1 of ').waitFor(PATIENCE)
      await picture(page, 'account-quotas-dark')
      await expectAccessible(page)

      await visit(page, '/account/limits')
      await page.getByText('Shared by all members of your team.').waitFor(PATIENCE)
      await picture(page, 'account-limits-dark')
      await expectAccessible(page)

      await visit(page, '/account/team')
      await button(page, 'Delete the team …').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('Acme')
      expect(await dialog.getByRole('button', { name: 'Delete the team' }).isDisabled()).toBe(true)
      await dialog.getByRole('textbox').fill('Acme Threat Research')
      await dialog.getByRole('button', { name: 'Delete the team' }).click()
      await page.getByText('Join a team').waitFor(PATIENCE)
      expect((await ask(bob, '/api/billing/v1/customer')).status).toBe(404)
      expect(complaints).toEqual([])
      await close()
    })

    test('a key pair that was made works, is shown once, and works no more when it is deleted', async () => {
      const { page, complaints, close } = await pageOf(ada)
      await page.goto('/account/keys')
      await page.getByText('No key pairs yet').waitFor(PATIENCE)
      await page.getByLabel('Name').fill('laptop')
      await page.getByLabel('Days').fill('30')
      await button(page, 'Create the key pair').click()
      const keys = {
        'api-key': (await page.getByTestId('new-key').locator('code').textContent())!,
        'api-secret': (await page.getByTestId('new-secret').locator('code').textContent())!,
      }
      await expectAccessible(page)
      const caller = await ask(keys, '/auth/v2/user')
      expect(caller).toMatchObject({ status: 200, body: { userID: ada.userID, session: false } })
      await button(page, 'I have copied it').click()
      await page.getByRole('row', { name: /laptop/ }).waitFor(PATIENCE)
      await page.reload()
      await page.getByRole('row', { name: /laptop.*in 29 days/ }).waitFor(PATIENCE)
      await picture(page, 'account-keys')
      expect(await page.content()).not.toContain(keys['api-secret'])
      await withKeys(keys)
      await button(page, 'Delete laptop …').click()
      await page.getByRole('dialog').getByText('are refused from now on').waitFor(PATIENCE)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No key pairs yet').waitFor(PATIENCE)
      expect((await ask(keys, '/auth/v2/user')).status).toBe(401)
      expect(complaints).toEqual([])
      await close()
    })

    /** Who came with a key pair needs a mailed code for another. */
    async function withKeys(keys: Record<string, string>): Promise<void> {
      const { page, complaints, close } = await newPage()
      await holdSession(page, keys)
      await page.goto('/account/keys')
      await page.getByRole('row', { name: /laptop current/ }).waitFor(PATIENCE)
      await page.getByLabel('Name').fill('workshop')
      await button(page, 'Create the key pair').click()
      const second = {
        'api-key': (await page.getByTestId('new-key').locator('code').textContent())!,
        'api-secret': (await page.getByTestId('new-secret').locator('code').textContent())!,
      }
      expect((await ask(second, '/auth/v2/user')).status).toBe(401)
      await page.getByLabel('Code', { exact: true }).fill(mailedCode(folder, 'ada@example.com'))
      await picture(page, 'account-keys-made')
      await button(page, 'Verify the key pair').click()
      await page.getByText('The key pair workshop can be used.').waitFor(PATIENCE)
      expect((await ask(second, '/auth/v2/user')).status).toBe(200)
      await button(page, 'Delete workshop …').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await expect.poll(() => page.getByRole('row', { name: /workshop/ }).count(), PATIENCE).toBe(0)
      expect((await ask(second, '/auth/v2/user')).status).toBe(401)
      expect(complaints).toEqual([])
      await close()
    }

    test('sessions are listed by name, extended and ended', async () => {
      const { page, complaints, close } = await pageOf(bob)
      const opened = await ask(bob, '/auth/v2/session', { email: 'bob@example.com', kind: 'another' })
      const code = mailedCode(folder, 'bob@example.com')
      await fetch(`${platform.url}/auth/v2/session/verification`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ verificationCodeID: opened.body.verificationCodeID, code }),
      })
      await page.goto('/account/sessions')
      const row = page.getByRole('row', { name: /current/ })
      await row.waitFor(PATIENCE)
      await page.getByRole('row', { name: /another/ }).waitFor(PATIENCE)
      await picture(page, 'account-sessions')
      await expectAccessible(page)
      await row.getByRole('button', { name: 'Extend' }).click()
      await page.getByText('This session ends on').waitFor(PATIENCE)
      await button(page, 'End all others (1) …').click()
      await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
      await expect.poll(() => page.getByRole('row', { name: /another/ }).count(), PATIENCE).toBe(0)
      const other = { authorization: `Bearer ${opened.body.bearer}` }
      expect((await ask(other, '/auth/v2/user')).status).toBe(401)
      expect((await ask(bob, '/auth/v2/user')).status).toBe(200)
      expect(complaints).toEqual([])
      await close()
    })

    test('every part fits a narrow window, and an account is deleted by typing its email', async () => {
      const { page, complaints, close } = await pageOf(ada, { viewport: NARROW, colorScheme: 'dark' })
      await page.goto('/account')
      const title = page.getByRole('heading', { level: 1 })
      let left: string | null = null
      for (const part of ['', '/team', '/plan', '/limits', '/quotas', '/keys', '/sessions']) {
        await visit(page, `/account${part}`)
        await expect.poll(() => title.textContent(), PATIENCE).not.toBe(left)
        left = await title.textContent()
        await expectFits(page)
        await picture(page, `account-narrow${part.replace('/', '-')}`)
        await (part === '' ? expectAccessible : expectLegible)(page)
      }
      await visit(page, '/account')
      await page.getByText('None yet:').waitFor(PATIENCE)
      await button(page, 'Delete my account …').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This cannot be undone').waitFor(PATIENCE)
      await picture(page, 'account-delete-narrow')
      await expectAccessible(page)
      await dialog.getByRole('textbox').fill('ada@example.com')
      await dialog.getByRole('button', { name: 'Delete my account' }).click()
      await page.getByText('Your account is deleted').waitFor(PATIENCE)
      expect((await ask(ada, '/auth/v2/user')).status).toBe(401)
      expect(complaints).toEqual([])
      await close()
    })
  })
