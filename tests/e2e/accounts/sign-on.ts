/** Single sign-on of a whole platform through a certified provider, as a browser does it. */

import { beforeAll, describe, expect, test } from 'vitest'
import { signOn } from '../../builders/accounts/sign-on/browser.ts'
import type { openIdProvider } from '../../builders/accounts/sign-on/provider.ts'
import { eventually, type Platform } from '../../builders/platform/platform.ts'

type Provider = Awaited<ReturnType<typeof openIdProvider>>

/** A platform with this provider, whose group `soc` reports; on it are no other people yet. */
export const signOnBy = (running: () => { platform: Platform; provider: Provider }) =>
  describe('single sign-on', () => {
    let platform: Platform
    let provider: Provider
    beforeAll(() => {
      ;({ platform, provider } = running())
    })

    const asked = (bearer: string | undefined) =>
      platform.ask('/auth/v2/user', undefined, { authorization: `Bearer ${bearer}` })

    test('a person of the provider signs in with its rights, and is signed out when the provider says so', async () => {
      const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', nickname: 'ada' }
      provider.choose({ ...ada, groups: ['soc'] })
      const { bearer } = await signOn(platform.url)
      const { body } = await asked(bearer)
      expect(body).toMatchObject({ fullName: 'Ada Lovelace', email: 'ada@example.com', roles: ['user', 'reporter'] })
      const admin = '/auth/v2/admin'
      const listed = async () =>
        (await platform.ask(`${admin}/users?role=reporter`)).body.users.map(({ id }: { id: string }) => id)
      const mapped = async () => (await platform.ask(`${admin}/user/${body.userID}`)).body
      expect(await mapped()).toMatchObject({ roles: ['user'], mapped: { roles: ['reporter'], groups: [] } })
      expect(await listed()).toEqual([body.userID])
      const { sessions } = (await platform.ask(`${admin}/sessions`)).body
      expect(sessions).toMatchObject([{ userID: body.userID, roles: ['user', 'reporter'] }])
      provider.choose(ada)
      const again = (await signOn(platform.url)).bearer
      expect((await asked(again)).body).toMatchObject({ userID: body.userID, roles: ['user'] })
      expect(await mapped()).toMatchObject({ roles: ['user'], mapped: { roles: [], groups: [] } })
      expect(await listed()).toEqual([])
      await provider.logOut('ada')
      await eventually(
        () => asked(again),
        ({ status }) => status === 401,
      )
      expect((await asked(bearer)).status).toBe(200)
      expect(platform.output()).not.toContain(bearer!)
    })

    test('a person without a verified address gets no account', async () => {
      provider.choose({ sub: 'ben', email: 'ben@example.com', email_verified: false })
      expect(await signOn(platform.url)).toEqual({ 'sign-on': 'no-verified-email' })
    })
  })
