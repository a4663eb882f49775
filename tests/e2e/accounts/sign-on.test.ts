/** Single sign-on of a whole platform through a certified provider, as a browser does it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOn } from '../../builders/accounts/sign-on/browser.ts'
import { openIdProvider } from '../../builders/accounts/sign-on/provider.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'

const START_MS = 240_000

const folder = temporaryFolder()
const mapping = join(folder, 'mapping.json')
let provider: Awaited<ReturnType<typeof openIdProvider>>
let platform: Platform
beforeAll(async () => {
  provider = await openIdProvider()
  writeFileSync(mapping, JSON.stringify({ rules: [{ claim: 'groups', value: 'soc', roles: ['reporter'] }] }))
  const env = { ...provider.env, HARRIER_OIDC_MAPPING_FILE: mapping }
  platform = await startPlatform(join(folder, 'data'), env)
}, START_MS)
afterAll(async () => {
  await platform?.stop()
  await provider?.close()
  remove(folder)
}, START_MS)

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
