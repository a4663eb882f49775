/** Single sign-on of a whole platform through a certified provider, as a browser does it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdProvider } from '../../builders/accounts/sign-on/provider.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'

const START_MS = 240_000
const MAX_REDIRECTS = 10

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

/** Follows redirects with a jar of cookies for each host, up to the page of the console; resolves to what that is told. */
async function signOn(): Promise<Record<string, string>> {
  const jar = new Map<string, Map<string, string>>()
  let url = new URL('/auth/v2/oidc/start', platform.url)
  for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
    const cookies = jar.get(url.host) ?? new Map<string, string>()
    jar.set(url.host, cookies)
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    url = new URL(response.headers.get('location')!, url)
    if (url.pathname === '/sign-in') return Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
  }
  throw new Error(`no page of the console after ${MAX_REDIRECTS} redirects: ${url}`)
}

const asked = (bearer: string | undefined) =>
  platform.ask('/auth/v2/user', undefined, { authorization: `Bearer ${bearer}` })

test('a person of the provider signs in with its rights, and is signed out when the provider says so', async () => {
  const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', nickname: 'ada' }
  provider.choose({ ...ada, groups: ['soc'] })
  const { bearer } = await signOn()
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
  const again = (await signOn()).bearer
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
  expect(await signOn()).toEqual({ 'sign-on': 'no-verified-email' })
})
