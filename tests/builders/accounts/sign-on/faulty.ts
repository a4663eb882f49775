/** An issuer that does everything right, but for what a test spoils. */

import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

type Claims = Record<string, unknown>

export type Spoilt = {
  /** Changes the claims of the ID token; undefined claims are left out. */
  idToken?: Claims
  userInfo?: Claims
  /** `none`: no signature; `stranger`: a key that is not published; `secret`: the client's secret, HS256. */
  signature?: 'none' | 'stranger' | 'secret'
  /** Changes the parameters with which the browser comes back. */
  answer?: Record<string, string | undefined>
  metadata?: Claims
  /** What the token endpoint answers instead. */
  token?: (response: ServerResponse) => void
}

export const CLIENT_ID = 'harrier'
export const CLIENT_SECRET = 'a-secret-of-the-tests-0123456789'

const now = () => Math.floor(Date.now() / 1000)
const without = (claims: Claims): JWTPayload => JSON.parse(JSON.stringify(claims))

/** Made once in a process, as each takes a quarter of a second; with another id a pair is another key. */
const pairs: Promise<GenerateKeyPairResult>[] = []
const pairOf = (n: number): Promise<GenerateKeyPairResult> => (pairs[n] ??= generateKeyPair('RS256'))
let made = 0

async function ownKey() {
  const { privateKey, publicKey } = await pairOf(made++ % 2)
  return { privateKey, published: { ...(await exportJWK(publicKey)), use: 'sig', alg: 'RS256', kid: randomUUID() } }
}

export async function faultyIssuer() {
  const stranger = (await pairOf(2)).privateKey
  let own = await ownKey()
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>()
  const issuer = { url: '', spoilt: {} as Spoilt, person: {} as Claims, isDown: false, discoveries: 0, keyReads: 0 }

  const signed = async (claims: Claims, typ: string, signature = issuer.spoilt.signature): Promise<string> => {
    const payload = without(claims)
    if (signature === 'none') {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none', typ })}.${part(payload)}.`
    }
    if (signature === 'secret') {
      const token = new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ })
      return token.sign(new TextEncoder().encode(CLIENT_SECRET))
    }
    const key: CryptoKey = signature === 'stranger' ? stranger : own.privateKey
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ, kid: own.published.kid }).sign(key)
  }

  const tokens = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const form = new URLSearchParams(await text(request))
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const basic = Buffer.from(request.headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()
    if (decodeURIComponent(basic) !== `${CLIENT_ID}:${CLIENT_SECRET}`) return [401, { error: 'invalid_client' }]
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }]
    const { sub, sid } = issuer.person
    const claims = { iss: issuer.url, aud: CLIENT_ID, sub, sid, nonce: code.nonce, iat: now(), exp: now() + 300 }
    const idToken = await signed({ ...claims, ...issuer.spoilt.idToken }, 'JWT')
    return [200, { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken }]
  }

  const answers: Record<string, (request: IncomingMessage) => Promise<[number, unknown]>> = {
    '/.well-known/openid-configuration': async () => {
      issuer.discoveries++
      return [
        200,
        {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          userinfo_endpoint: `${issuer.url}/userinfo`,
          jwks_uri: `${issuer.url}/keys`,
          authorization_response_iss_parameter_supported: true,
          ...issuer.spoilt.metadata,
        },
      ]
    },
    '/keys': async () => {
      issuer.keyReads++
      return [200, { keys: [own.published] }]
    },
    '/token': tokens,
    '/userinfo': async () => [200, { ...issuer.person, ...issuer.spoilt.userInfo }],
  }

  const server = createServer(async (request, response) => {
    const answer = answers[request.url ?? '']
    if (issuer.isDown || answer === undefined) return void response.writeHead(issuer.isDown ? 503 : 404).end()
    if (request.url === '/token' && issuer.spoilt.token !== undefined) return issuer.spoilt.token(response)
    const [status, body] = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return Object.assign(issuer, {
    /** What a browser does at the page `url` of the issuer: the parameters with which it comes back. */
    authorize(url: string): Record<string, string> {
      const { searchParams: asked } = new URL(url)
      const of = (name: string): string => asked.get(name) ?? ''
      const code = randomUUID()
      codes.set(code, { nonce: of('nonce'), challenge: of('code_challenge'), redirectUri: of('redirect_uri') })
      const answer = { code, state: of('state'), iss: issuer.url, ...issuer.spoilt.answer }
      return without(answer) as Record<string, string>
    },
    /** A logout token of the person, spoilt by `claims` and `signature`. */
    logoutToken(claims: Claims = {}, signature?: Spoilt['signature'], typ = 'logout+jwt'): Promise<string> {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const { sub, sid } = issuer.person
      const usual = {
        iss: issuer.url,
        aud: CLIENT_ID,
        iat: now(),
        exp: now() + 120,
        jti: randomUUID(),
        events,
        sub,
        sid,
      }
      return signed({ ...usual, ...claims }, typ, signature)
    },
    /** Signs with another key from now on, and publishes that alone. */
    async changeKey(): Promise<void> {
      own = await ownKey()
    },
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
}
