/** A certified OpenID provider on loopback, at which a chosen person signs in without being asked anything. */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { type Context, Provider } from 'oidc-provider'
import { freePort } from '../../network/free-port.ts'

export type ProviderClaims = { sub: string; email?: string; email_verified?: boolean } & Record<string, unknown>

const CLIENT = { clientId: 'harrier', clientSecret: 'a-secret-of-the-tests-0123456789' }

export async function openIdProvider() {
  const port = await freePort()
  const platform = `http://127.0.0.1:${port}`
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' }
  const people = new Map<string, ProviderClaims>()
  /** Sessions by person, as ID tokens name them. */
  const sids = new Map<string, string>()
  let chosen = ''
  let provider: Provider | undefined

  const made = (): Provider =>
    new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [`${platform}/auth/v2/oidc/callback`],
          backchannel_logout_uri: `${platform}/auth/v2/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name', 'nickname', 'groups'] },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => people.get(id) }),
      // Said, so that it does not advise us to.
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      interactions: { url: () => '/interaction' },
      loadExistingGrant: async ({ oidc }: Context) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      // The other end is on loopback, which it refuses by itself.
      fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
        fetch(url, options),
    })

  server.on('request', async (request, response) => {
    provider ??= made().on('authorization_code.saved', ({ accountId, sid }) => void sids.set(accountId, sid))
    if (request.url?.startsWith('/interaction')) {
      const login = { accountId: chosen, remember: false }
      await provider.interactionFinished(request, response, { login }).catch(() => response.destroy())
    } else provider.callback()(request, response)
  })

  return {
    issuer,
    host: new URL(issuer).host,
    /** Settings of the platform: the provider knows the address where it has to be. */
    env: {
      PORT: String(port),
      HARRIER_OIDC_ISSUER: issuer,
      HARRIER_OIDC_CLIENT_ID: CLIENT.clientId,
      HARRIER_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      HARRIER_OIDC_REDIRECT_URI: `${platform}/auth/v2/oidc/callback`,
    } as Record<string, string>,
    /** Who signs in from now on. */
    choose(claims: ProviderClaims): void {
      people.set(claims.sub, claims)
      chosen = claims.sub
    },
    /** Tells the platform that the newest session of a person has ended; rejects when the platform refuses it. */
    async logOut(subject: string): Promise<void> {
      const client = await provider!.Client.find(CLIENT.clientId)
      await client.backchannelLogout(subject, sids.get(subject)!)
    },
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
