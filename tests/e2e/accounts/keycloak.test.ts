/** Single sign-on of a whole platform through Keycloak, set up as docs/administer/sign-on.md says. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signOn } from '../../builders/accounts/sign-on/browser.ts'
import { keycloakRealm } from '../../builders/accounts/sign-on/keycloak.ts'
import { eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const { KEYCLOAK_URL, CI } = process.env
if (!KEYCLOAK_URL && CI === 'true') test('KEYCLOAK_URL names a server in CI', () => expect.unreachable())

const RULES = [
  { claim: 'groups', value: 'soc', groups: ['soc'] },
  { claim: 'realm_access.roles', value: 'ti-lead', roles: ['reporter'] },
]
const ADA = {
  username: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  realmRoles: ['ti-lead'],
  groups: ['soc'],
}
const BEN = { username: 'ben', email: 'ben@example.com', emailVerified: false }

describe.skipIf(!KEYCLOAK_URL)('Keycloak (KEYCLOAK_URL)', () => {
  const folder = ownFolder()
  const mapping = join(folder, 'mapping.json')
  let realm: Awaited<ReturnType<typeof keycloakRealm>>
  let platform: Platform
  beforeAll(async () => {
    realm = await keycloakRealm(KEYCLOAK_URL!, [ADA, BEN])
    writeFileSync(mapping, JSON.stringify({ rules: RULES }))
    platform = await startPlatform(join(folder, 'data'), { ...realm.env, HARRIER_OIDC_MAPPING_FILE: mapping })
  })
  afterAll(async () => {
    await platform?.stop()
    await realm?.remove()
  })

  const signOnAs = (username: string) => signOn(platform.url, realm.enter(username))
  const asked = (bearer: string | undefined) =>
    platform.ask('/auth/v2/user', undefined, { authorization: `Bearer ${bearer}` })

  test('gives a person the rights of its groups and roles, as they are at each sign-in', async () => {
    const first = await signOnAs('ada')
    const { body } = await asked(first.bearer)
    expect(body).toMatchObject({ fullName: 'ada Tester', email: ADA.email, roles: ['user', 'reporter'] })
    const mapped = async () => (await platform.ask(`/auth/v2/admin/user/${body.userID}`)).body.mapped
    expect(await mapped()).toMatchObject({ roles: ['reporter'], groups: ['soc'] })
    await realm.leaveGroups('ada')
    expect((await asked((await signOnAs('ada')).bearer)).body.userID).toBe(body.userID)
    expect(await mapped()).toMatchObject({ roles: ['reporter'], groups: [] })
  })

  test('ends the sessions of a person whom an administrator of it signs out', async () => {
    const { bearer } = await signOnAs('ada')
    expect((await asked(bearer)).status).toBe(200)
    await realm.logOut('ada')
    await eventually(
      () => asked(bearer),
      ({ status }) => status === 401,
    )
  })

  test('may sign with a new key at any time', async () => {
    await realm.rotateKeys()
    expect((await asked((await signOnAs('ada')).bearer)).body.email).toBe(ADA.email)
  })

  test('gives no account to a person whose address it has not verified', async () => {
    expect(await signOnAs('ben')).toEqual({ 'sign-on': 'no-verified-email' })
  })
})
