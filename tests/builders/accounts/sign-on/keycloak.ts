/** A realm of Keycloak for one test, with the platform as a client: through the administration of Keycloak. */

import { randomUUID } from 'node:crypto'
import { freePort } from '../../network/free-port.ts'
import type { Form } from './browser.ts'

const CLIENT = 'harrier'
const SECRET = 'a-secret-of-the-tests-0123456789'
const PASSWORD = 'a-password-of-the-tests'

export type Person = {
  username: string
  email: string
  emailVerified: boolean
  realmRoles?: string[]
  groups?: string[]
}

/** As docs/administer/sign-on.md says, Keycloak. */
const client = (platform: string) => ({
  clientId: CLIENT,
  secret: SECRET,
  publicClient: false,
  standardFlowEnabled: true,
  directAccessGrantsEnabled: false,
  frontchannelLogout: false,
  redirectUris: [`${platform}/auth/v2/oidc/callback`],
  attributes: {
    'pkce.code.challenge.method': 'S256',
    'backchannel.logout.url': `${platform}/auth/v2/oidc/backchannel-logout`,
    'backchannel.logout.session.required': 'false',
  },
  protocolMappers: [
    mapper('groups', 'oidc-group-membership-mapper', { 'claim.name': 'groups', 'full.path': 'false' }),
    mapper('roles', 'oidc-usermodel-realm-role-mapper', { 'claim.name': 'realm_access.roles', multivalued: 'true' }),
  ],
})

const mapper = (name: string, protocolMapper: string, config: Record<string, string>) => ({
  name,
  protocol: 'openid-connect',
  protocolMapper,
  config: { ...config, 'id.token.claim': 'true' },
})

/** @param server its address, with name and password of its first administrator */
export async function keycloakRealm(server: string, people: readonly Person[]) {
  const { origin, username, password } = new URL(server)
  const realm = `harrier-${randomUUID().slice(0, 8)}`
  const platform = `http://127.0.0.1:${await freePort()}`

  async function token(): Promise<string> {
    const form = { grant_type: 'password', client_id: 'admin-cli', username, password }
    const url = `${origin}/realms/master/protocol/openid-connect/token`
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
    return ((await response.json()) as { access_token: string }).access_token
  }

  async function administer<T = void>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
    const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(`${origin}/admin/realms${path}`, options)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  const named = (kind: 'realmRoles' | 'groups') =>
    [...new Set(people.flatMap((person) => person[kind] ?? []))].map((name) => ({ name }))
  await administer('POST', '', {
    realm,
    enabled: true,
    clients: [client(platform)],
    roles: { realm: named('realmRoles') },
    groups: named('groups'),
    users: people.map((person) => ({
      ...person,
      enabled: true,
      firstName: person.username,
      lastName: 'Tester',
      credentials: [{ type: 'password', value: PASSWORD }],
    })),
  })
  const idOf = async (username: string): Promise<string> =>
    (await administer<[{ id: string }]>('GET', `/${realm}/users?exact=true&username=${username}`))[0].id

  return {
    platform,
    /** Settings of the platform. */
    env: {
      PORT: new URL(platform).port,
      HARRIER_OIDC_ISSUER: `${origin}/realms/${realm}`,
      HARRIER_OIDC_CLIENT_ID: CLIENT,
      HARRIER_OIDC_CLIENT_SECRET: SECRET,
      HARRIER_OIDC_REDIRECT_URI: `${platform}/auth/v2/oidc/callback`,
    } as Record<string, string>,
    /** What a person enters on the sign-in page. */
    enter:
      (username: string) =>
      (page: string): Form => {
        const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
        return action === undefined ? null : { action, fields: { username, password: PASSWORD } }
      },
    /** Takes a person out of every group. */
    async leaveGroups(username: string): Promise<void> {
      const user = `/${realm}/users/${await idOf(username)}/groups`
      for (const { id } of await administer<{ id: string }[]>('GET', user)) await administer('DELETE', `${user}/${id}`)
    },
    /** Ends all sessions of a person, as an administrator does. */
    logOut: async (username: string) => administer('POST', `/${realm}/users/${await idOf(username)}/logout`),
    /** Signs with a new key from now on. */
    async rotateKeys(): Promise<void> {
      const { id } = await administer<{ id: string }>('GET', `/${realm}`)
      await administer('POST', `/${realm}/components`, {
        name: 'newer',
        parentId: id,
        providerId: 'rsa-generated',
        providerType: 'org.keycloak.keys.KeyProvider',
        config: { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
      })
    },
    remove: () => administer('DELETE', `/${realm}`),
  }
}
