/** The issuer over openid-client: code flow with PKCE, nonce and signed ID tokens; logout tokens over its keys. */

import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { promiseCache } from '../../platform/promise-cache.ts'
import { idTokenFault, LOGOUT_AGE_S, logoutOf, profileOf, SKEW_S } from '../../schemas/accounts/sign-on/claims.ts'
import type { Claims } from '../../schemas/accounts/sign-on/mapping.ts'
import { explained } from './faults.ts'
import { type Issuer, type IssuerAnswer, IssuerUnavailable, SignOnFault } from './port.ts'

// Requests to the issuer: to https alone, never redirected, within a time and a size.

/** Of a whole request, in milliseconds. */
const TIMEOUT_MS = 5_000

/** Far above any metadata, key set or token. */
const MAX_BYTES = 512 * 1024

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The metadata of the issuer names the other addresses. Plain http is for an issuer on loopback, and leads nowhere else.
 * @param plain whether the issuer itself is reached by http
 * @throws what `fetch` throws; TypeError for another kind of address, and for an answer that is too large
 */
function boundedFetch(plain: boolean): Fetch {
  return async (url, init) => {
    if (!isAllowed(new URL(url), plain)) throw new TypeError('the issuer names an address without https')
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
    const body = await bounded(response)
    const { status, statusText, headers } = response
    const empty = status === 204 || status === 304 || body.length === 0
    return new Response(empty ? null : body, { status, statusText, headers })
  }
}

export const isAllowed = ({ protocol, hostname }: URL, plain: boolean): boolean =>
  protocol === 'https:' || (plain && protocol === 'http:' && isLoopback(hostname))

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

async function bounded({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new TypeError('the answer of the issuer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

export type IssuerSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** Its addresses count as verified, whatever it says of that. */
  trustsEmail: boolean
}

/** How long metadata counts. A failed question is not kept: the next sign-on asks again. */
const METADATA_MS = 60 * 60 * 1000
/** Logout tokens come from anybody: for a key that is not known the keys are read again, once in so long. */
const KEYS_PAUSE_MS = 5_000
const KEYS_MS = 10 * 60 * 1000

/** With keys that the issuer publishes: the secret of this client signs nothing, and `none` is no signature. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description'] as const

type Known = {
  issuer: string
  /** Of one sign-on, which reads the keys of the issuer afresh: it may have begun to sign with another one. */
  configure: () => client.Configuration
  /** Of logout tokens. */
  keys: JWTVerifyGetKey
}

/** `now` in milliseconds; the libraries look at the clock of the process. */
export function openIdIssuer(settings: IssuerSettings, now: () => number = Date.now): Issuer {
  const server = new URL(settings.issuer)
  const plain = server.protocol === 'http:'
  const known = promiseCache<Known>({ max: 1, ttlMs: METADATA_MS, now })
  const discover = () => known.get('issuer', () => explained(discovered(settings, server, plain)))

  return {
    host: server.host,

    async authorizationUrl({ state, nonce, verifier }) {
      const { configure } = await discover()
      const challenge = await client.calculatePKCECodeChallenge(verifier)
      const url = client.buildAuthorizationUrl(configure(), {
        redirect_uri: settings.redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      if (!isAllowed(url, plain)) throw new IssuerUnavailable('it names a page without https')
      return url.href
    },

    async person(answer, { state, nonce, verifier }) {
      const { configure, issuer } = await discover()
      const config = configure()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await explained(
        client.authorizationCodeGrant(config, callbackUrl(settings.redirectUri, answer), checks),
      )
      const idToken = tokens.claims() as Claims
      const fault = idTokenFault(idToken, settings.clientId, now() / 1000)
      if (fault !== null) throw new SignOnFault('refused', `the ID token is not usable: ${fault}`)
      const subject = String(idToken.sub)
      const { userinfo_endpoint: more } = config.serverMetadata()
      const userInfo: Claims =
        more === undefined ? {} : await explained(client.fetchUserInfo(config, tokens.access_token, subject))
      return {
        issuer,
        subject,
        sid: typeof idToken.sid === 'string' ? idToken.sid : null,
        ...profileOf(idToken, userInfo, settings.trustsEmail),
        claims: { ...userInfo, ...idToken },
      }
    },

    async logout(token) {
      const { issuer, keys } = await discover()
      const { payload, protectedHeader } = await explained(
        jwtVerify(token, keys, {
          issuer,
          audience: settings.clientId,
          algorithms: ALGORITHMS,
          requiredClaims: ['iat', 'jti', 'events'],
          maxTokenAge: LOGOUT_AGE_S,
          clockTolerance: SKEW_S,
          currentDate: new Date(now()),
        }),
      )
      const logout = logoutOf(payload, protectedHeader.typ, settings.clientId, now() / 1000)
      if (typeof logout === 'string') throw new SignOnFault('refused', `the logout token is not usable: ${logout}`)
      return logout
    },
  }
}

async function discovered({ clientId, clientSecret }: IssuerSettings, server: URL, plain: boolean): Promise<Known> {
  const fetch = boundedFetch(plain)
  const clock = { [client.clockTolerance]: SKEW_S }
  const found = await client.discovery(server, clientId, clock, authentication(clientSecret), {
    [client.customFetch]: fetch as client.CustomFetch,
    timeout: TIMEOUT_MS / 1000,
    ...(plain && { execute: [client.allowInsecureRequests] }),
  })
  const metadata = found.serverMetadata()
  const { issuer, jwks_uri: keys, authorization_endpoint: page, token_endpoint: tokens } = metadata
  if (keys === undefined || page === undefined || tokens === undefined)
    throw new IssuerUnavailable('its metadata lacks an address')
  const configure = (): client.Configuration => {
    const config = new client.Configuration(metadata, clientId, clock, authentication(clientSecret))
    config[client.customFetch] = fetch as client.CustomFetch
    config.timeout = TIMEOUT_MS / 1000
    client.enableNonRepudiationChecks(config)
    if (plain) client.allowInsecureRequests(config)
    return config
  }
  const options = { timeoutDuration: TIMEOUT_MS, cooldownDuration: KEYS_PAUSE_MS, cacheMaxAge: KEYS_MS }
  return { issuer, configure, keys: createRemoteJWKSet(new URL(keys), { ...options, [customFetch]: fetch }) }
}

/** In the form where the issuer takes it there: not every issuer decodes the header as RFC 6749 section 2.3.1 says. */
function authentication(secret: string): client.ClientAuth {
  const header = client.ClientSecretBasic(secret)
  const form = client.ClientSecretPost(secret)
  return (server, metadata, body, headers) => {
    const byForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    return (byForm ? form : header)(server, metadata, body, headers)
  }
}

/** The exact address that was registered, with what the browser brought: whichever host it was asked by counts nothing. */
function callbackUrl(redirectUri: string, answer: IssuerAnswer): URL {
  const url = new URL(redirectUri)
  for (const name of PARAMETERS) {
    const value = answer[name]
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}
