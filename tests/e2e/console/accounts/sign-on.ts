import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { mailedCode } from '../../../builders/accounts/mailed-code.ts'
import type { openIdProvider } from '../../../builders/accounts/sign-on/provider.ts'
import { expectAccessible, picture } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { prepared } from '../../../builders/suite/during.ts'

export type IdProvider = Awaited<ReturnType<typeof openIdProvider>>

const signedInAs = (page: Page, name: string) =>
  page.getByRole('button', { name: `Signed in as ${name}` }).waitFor(PATIENCE)

export const signOnTests = ({ folder, platform, newPage }: OpenedConsole, providerOf: () => IdProvider) =>
  describe('single sign-on', { timeout: 180_000 }, () => {
    const provider = prepared(providerOf)

    /** All but that the browser was at the provider. */
    const others = (complaints: string[]) =>
      complaints.filter((one) => !one.startsWith(`third party: ${provider.issuer}`))

    test('a person signs in with the provider and is where it wanted to be, with no session in the address', async () => {
      provider.choose({ sub: 'lise', email: 'lise@example.com', email_verified: true, nickname: 'lise' })
      const { page, complaints, close } = await newPage()
      await page.goto('/sign-in?to=%2Faccount%2Fsessions')
      await page.getByRole('button', { name: `Sign in with ${provider.host}` }).waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'sign-in-single-sign-on')
      await page.getByRole('button', { name: `Sign in with ${provider.host}` }).click()
      await signedInAs(page, 'lise')
      expect(page.url()).toBe(`${platform.url}/account/sessions`)
      await page.getByText('Single sign-on').first().waitFor(PATIENCE)
      await page.goto('/account')
      await page.getByText(`Linked with ${provider.host}.`, { exact: true }).waitFor(PATIENCE)
      expect(others(complaints)).toEqual([])
      await close()
    })

    test('a session in a link is not taken', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/sign-in#sign-on=done&bearer=somebody-elses&tab=')
      await page.getByText('Sign in again').waitFor(PATIENCE)
      expect(page.url()).toBe(`${platform.url}/sign-in`)
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
      expect(others(complaints)).toEqual([])
      await close()
    })

    test('a person whose address has an account signs in by mail, links it, and ends the link', async () => {
      const email = 'hedy@example.com'
      provider.choose({ sub: 'hedy', email, email_verified: true, nickname: 'hedy' })
      const { page, complaints, close } = await newPage()
      await page.goto('/sign-in?with=register')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Alias').fill('hedy')
      await page.getByRole('button', { name: 'Mail me a code' }).click()
      await page.getByLabel('Code', { exact: true }).waitFor(PATIENCE)
      await page.getByLabel('Code', { exact: true }).fill(mailedCode(folder, email))
      await page.getByRole('button', { name: 'Create the account' }).click()
      await signedInAs(page, 'hedy')

      const other = await newPage()
      await other.page.goto('/sign-in')
      await other.page.getByRole('button', { name: `Sign in with ${provider.host}` }).click()
      await other.page.getByText('An account with your email address exists').waitFor(PATIENCE)
      await picture(other.page, 'sign-in-single-sign-on-refused')
      expect(others(other.complaints)).toEqual([])
      await other.close()

      await page.goto('/account')
      await page.getByRole('button', { name: `Link with ${provider.host}` }).click()
      await page.getByText(`Linked with ${provider.host}.`, { exact: true }).waitFor(PATIENCE)
      expect(page.url()).toBe(`${platform.url}/account`)
      await expectAccessible(page)
      await picture(page, 'account-single-sign-on')
      await page.getByRole('button', { name: 'Unlink …' }).click()
      await page.getByRole('button', { name: 'Unlink', exact: true }).click()
      await page.getByText(`Not linked with ${provider.host}.`, { exact: true }).waitFor(PATIENCE)
      expect(others(complaints)).toEqual([])
      await close()
    })
  })
