import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { mailedCode, registered } from '../../../builders/accounts/mailed-code.ts'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  expectRefreshed,
  picture,
  signInWithKeys,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { ADMINISTRATOR } from '../../../builders/platform/platform.ts'

/** Everything that a page keeps, and its address: no credential may be where it does not belong. */
const keptBy = (page: Page): Promise<{ session: string; local: string }> =>
  page.evaluate(
    '({ session: JSON.stringify({ ...sessionStorage }), local: localStorage.getItem("harrier.session") ?? "" })',
  )

const signedInAs = (page: Page, name: string) =>
  page.getByRole('button', { name: `Signed in as ${name}` }).waitFor(PATIENCE)

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor(PATIENCE)

async function mail(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Mail me a code' }).click()
  await page.getByLabel('Code', { exact: true }).waitFor(PATIENCE)
}

export const signInTests = ({ folder, platform, newPage }: OpenedConsole) =>
  describe('signing in', { timeout: 180_000 }, () => {
    test('a newcomer registers with the mailed code, signs out, and comes back by mail to where it was', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/sign-in?with=register')
      await page.getByRole('button', { name: 'Mail me a code' }).click()
      await page.getByText('Enter an address such as ada@example.com').waitFor(PATIENCE)
      await page.getByLabel('Full name').fill('Emmy Noether')
      await page.getByLabel('Alias').fill('emmy')
      await picture(page, 'sign-in-register')
      await mail(page, 'emmy@example.com')
      expect((await keptBy(page)).session).not.toContain('bearer')
      await page.getByLabel('Code', { exact: true }).fill(mailedCode(folder, 'emmy@example.com'))
      await page.getByRole('button', { name: 'Create the account' }).click()
      await signedInAs(page, 'emmy')
      expect(new URL(page.url()).pathname).toBe('/')
      expect((await keptBy(page)).local).toBe('')

      await page.getByRole('button', { name: 'Signed in as emmy' }).click()
      await page.getByTestId('caller').waitFor(PATIENCE)
      await picture(page, 'sign-in-menu')
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor(PATIENCE)
      expect(await keptBy(page)).toEqual({ session: '{}', local: '' })

      await page.goto('/account/limits?show=used')
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
      await heading(page, 'Sign in')
      await mail(page, 'emmy@example.com')
      const code = mailedCode(folder, 'emmy@example.com')
      const wrong = code === '000000' ? '000001' : '000000'
      await page.getByLabel('Code', { exact: true }).fill(wrong)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Attempts left: 4.').waitFor(PATIENCE)
      await page.getByRole('alert').getByText('Wrong code').waitFor(PATIENCE)
      await picture(page, 'sign-in-wrong-code')
      await expectAccessible(page)
      expect((await keptBy(page)).session).toBe('{}')
      // As people paste it.
      await page.getByLabel('Code', { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`)
      await page.getByLabel('Keep me signed in on this device').check()
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await signedInAs(page, 'emmy')
      expect(page.url()).toBe(`${platform.url}/account/limits?show=used`)

      const { session, local } = await keptBy(page)
      expect(session).toBe('{}')
      expect(JSON.parse(local)).toEqual({ kind: 'bearer', bearer: expect.stringMatching(/^\S{20,}$/) })
      const { bearer } = JSON.parse(local)
      expect(page.url()).not.toContain(bearer)
      expect(platform.output()).not.toContain(bearer)

      // Another tab of the same browser is signed in as well, and out again with the first.
      const other = await page.context().newPage()
      await other.goto('/account')
      await signedInAs(other, 'emmy')
      await page.getByRole('button', { name: 'Signed in as emmy' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await other.getByText('Sign in to see this').waitFor(PATIENCE)
      await expect
        .poll(
          async () => (await platform.ask('/auth/v2/session', undefined, { authorization: `Bearer ${bearer}` })).status,
        )
        .toBe(401)
      expect(complaints).toEqual([])
      await close()
    })

    test('an unregistered address looks like any other, and links never lead to another site', async () => {
      const { page, complaints, close } = await newPage({ colorScheme: 'dark' })
      await page.goto('/sign-in?to=%2F%2Fevil.example%2F')
      await mail(page, 'nobody@example.com')
      await page.getByText('If nobody@example.com can receive mail').waitFor(PATIENCE)
      await picture(page, 'sign-in-code-dark')
      await expectLegible(page)
      expect(await page.getByLabel('Code', { exact: true }).getAttribute('autocomplete')).toBe('one-time-code')
      await page.getByRole('button', { name: 'Use another email' }).click()
      expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com')

      await page.getByRole('tab', { name: 'Key pair' }).click()
      await page.getByLabel('API key').fill('administrator-key-0001')
      await page.getByLabel('API secret').fill('not-the-secret-of-it')
      await page.getByRole('button', { name: 'Sign in with the key pair' }).click()
      await page.getByText('The key pair was refused').waitFor(PATIENCE)
      expect(await page.getByRole('alert').textContent()).not.toContain('not-the-secret-of-it')
      expect(await keptBy(page)).toEqual({ session: '{}', local: '' })
      await picture(page, 'sign-in-wrong-keys-dark')
      await expectAccessible(page)
      await page.getByLabel('API secret').fill(ADMINISTRATOR['api-secret'])
      await page.getByRole('button', { name: 'Sign in with the key pair' }).click()
      await signedInAs(page, 'Administrator')
      expect(page.url()).toBe(`${platform.url}/`)
      expect((await keptBy(page)).local).toBe('')
      expect(complaints).toEqual([])
      await close()
    })

    test('a session that is ended elsewhere says so, and leads back', async () => {
      const email = 'grace@example.com'
      const { authorization } = await registered(platform, email, 'grace')
      const { page, complaints, close } = await newPage({ clock: true })
      await page.goto('/sign-in?to=%2Faccount%2Fsessions')
      await mail(page, email)
      await page.getByLabel('Code', { exact: true }).fill(mailedCode(folder, email))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await signedInAs(page, 'grace')
      await page.getByText('Console in Chrome on Linux').waitFor(PATIENCE)
      const listed = await platform.ask('/auth/v2/sessions', undefined, { authorization })
      const here = listed.body.sessions.find(({ kind }: { kind: string }) => kind.startsWith('Console'))
      const ended = await fetch(`${platform.url}/auth/v2/session/${here.sessionID}`, {
        method: 'DELETE',
        headers: { authorization },
      })
      expect(ended.status).toBe(204)
      // The page refreshes the list without any input.
      await expectRefreshed(page, () => page.getByText('Your session has ended').isVisible()).toBe(true)
      await picture(page, 'sign-in-ended')
      await expectAccessible(page)
      expect(await keptBy(page)).toEqual({ session: '{}', local: '' })
      await page.getByRole('link', { name: 'Sign in again' }).click()
      await heading(page, 'Sign in')
      expect(new URL(page.url()).searchParams.get('to')).toBe('/account/sessions')
      expect(complaints).toEqual([])
      await close()
    })

    test('the page works with keys alone and in a narrow window', async () => {
      const { page, complaints, close } = await newPage({ viewport: { width: 360, height: 740 } })
      await page.goto('/sign-in')
      await heading(page, 'Sign in')
      await expectFits(page)
      await expectAccessible(page)
      await picture(page, 'sign-in-narrow')
      await page.getByRole('tab', { name: 'Mailed code' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByLabel('API key').waitFor(PATIENCE)
      expect(new URL(page.url()).searchParams.get('with')).toBe('keys')
      await page.keyboard.press('ArrowRight')
      await page.getByLabel('Full name').waitFor(PATIENCE)
      await expectFits(page)
      await signInWithKeys(page, ADMINISTRATOR, '/account')
      await heading(page, 'Profile')
      expect(complaints).toEqual([])
      await close()
    })
  })
