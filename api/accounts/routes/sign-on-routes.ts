/** Single sign-on by OpenID Connect (decisions 16.3; ADR 276). */

import { Type } from 'typebox'
import { change, notAudited } from '../../../schemas/audit/action.ts'
import { FORM } from '../../http/bodies/form.ts'
import { ApiError } from '../../http/errors.ts'
import { seconds, text, unixSeconds } from '../../http/fields/common.ts'
import { type Request, type Route, reply, route } from '../../http/route.ts'
import type { SignOnService } from '../services/sign-on-service.ts'

// The cookie that binds a sign-on to the browser that began it (ADR 276).

const MAX_AGE_S = 600

/** `__Host-`: no other host of the domain can set it. Browsers take such a name with `Secure` alone. */
const nameOf = (secure: boolean): string => (secure ? '__Host-harrier-sign-on' : 'harrier-sign-on')

const setCookie = (value: string, secure: boolean): string =>
  `${nameOf(secure)}=${value}; Path=/; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The value in a `Cookie` header; undefined: none. */
function readCookie(header: string | undefined, secure: boolean): string | undefined {
  const start = `${nameOf(secure)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

const PATH = '/auth/v2/oidc'

// Browsers and the issuer come without credentials.
const door = { tag: 'Single sign-on', access: 'open', scope: null } as const
const own = { tag: 'Single sign-on', access: 'authenticated', scope: 'account' } as const

const Issuer = Type.Object({
  issuer: Type.Union([Type.String(), Type.Null()], {
    description: 'The host of the issuer; null: the platform has no single sign-on.',
  }),
})

const StartQuery = Type.Object({
  to: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'Page of the console to go to afterwards: `/search`.' }),
  ),
  tab: Type.Optional(
    Type.String({
      pattern: '^[\\w-]{1,64}$',
      description: 'Returned in the fragment of the address, so that a tab recognises its own sign-in.',
    }),
  ),
})

/** Issuers add parameters of their own. */
const AnswerQuery = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 4_096 })),
    state: Type.Optional(text(1, 512)),
    iss: Type.Optional(Type.String({ maxLength: 2_000 })),
    error: Type.Optional(Type.String({ maxLength: 200 })),
    error_description: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { additionalProperties: true },
)

/** `service` null: the routes are there and say that there is no single sign-on. */
export function signOnRoutes(service: SignOnService | null): Route[] {
  const set = (): SignOnService => {
    if (service === null) throw new ApiError('not_found', { message: 'this platform has no single sign-on' })
    return service
  }
  const browserOf = ({ header }: Pick<Request, 'header'>, { secure }: SignOnService) =>
    readCookie(header('cookie'), secure)
  const redirect = (location: string, more: Record<string, string> = {}) =>
    reply(303, undefined, { location, 'referrer-policy': 'no-referrer', ...more })

  return [
    route({
      ...door,
      method: 'get',
      path: PATH,
      id: 'getIssuer',
      summary: 'Get the issuer through which people sign in.',
      examples: { words: { issuer: 'login.example.com' } },
      responses: { 200: Issuer },
      handler: () => reply(200, { issuer: service?.host ?? null }),
    }),
    route({
      ...door,
      method: 'get',
      path: `${PATH}/start`,
      id: 'startSignOn',
      summary: 'Redirect the browser to the issuer to sign in. The sign-in must be completed within ten minutes.',
      codes: ['not_found', 'rate_limited'],
      examples: { words: { to: '/search', tab: 'c2lnbi1vbg' } },
      query: StartQuery,
      responses: { 303: null },
      handler: async (request) => {
        const signOn = set()
        const { query, ip } = request
        const { url, browser } = await signOn.start({ ...query, ip, browser: browserOf(request, signOn) })
        return redirect(url, { 'set-cookie': setCookie(browser, signOn.secure) })
      },
    }),
    route({
      ...door,
      method: 'get',
      path: `${PATH}/callback`,
      id: 'finishSignOn',
      summary:
        'Receive the browser from the issuer, and redirect it to the console with a session, or with the reason why there is none.',
      codes: ['not_found'],
      examples: {
        words: {
          code: 'SplxlOBeZQQYbYS6WxSbIA',
          state: 'af0ifjsldkj',
          iss: 'https://login.example.com',
          error: 'access_denied',
          error_description: 'The person declined.',
        },
      },
      // The GET of a browser that comes back starts a session or links the account.
      audit: change('session.start', ['insert sessions', 'insert sign_on_identities'], null),
      query: AnswerQuery,
      responses: { 303: null },
      handler: async (request) => {
        const signOn = set()
        return redirect(await signOn.finish(request.query, browserOf(request, signOn)))
      },
    }),
    route({
      ...door,
      method: 'post',
      path: `${PATH}/backchannel-logout`,
      id: 'endSessionsByIssuer',
      summary: 'End the sessions that the issuer names in a logout token. Key pairs stay.',
      codes: ['not_found', 'unavailable'],
      examples: { words: { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.e30.c2ln' } },
      audit: change('session.end', 'delete sessions', null),
      bodyMedia: FORM,
      body: Type.Object({ logout_token: Type.String({ minLength: 1, maxLength: 16_384 }) }),
      responses: { 200: null },
      handler: async ({ body }) => {
        await set().logOut(body.logout_token)
        return reply(200)
      },
    }),
    route({
      ...own,
      method: 'get',
      path: `${PATH}/link`,
      id: 'getSignOnLink',
      summary: "Get the link between the caller's account and an identity of the issuer.",
      codes: ['not_found'],
      responses: {
        200: Type.Object({ linkedAt: Type.Union([unixSeconds, Type.Null()], { description: 'null: not linked.' }) }),
      },
      handler: async ({ user }) => {
        const at = await set().linkedAt(user)
        return reply(200, { linkedAt: at === null ? null : seconds(at) })
      },
    }),
    route({
      ...own,
      method: 'post',
      path: `${PATH}/link`,
      id: 'startSignOnLink',
      summary:
        "Begin to link the caller's account with an identity of the issuer. The browser keeps the cookie of the response and opens the returned address.",
      codes: ['forbidden', 'not_found', 'conflict', 'rate_limited', 'unavailable'],
      examples: { words: { url: 'https://login.example.com/authorize?client_id=harrier&response_type=code' } },
      audit: notAudited('nothing is linked until the browser comes back from the issuer, which is written'),
      responses: { 201: Type.Object({ url: Type.String({ description: 'The page of the issuer.' }) }) },
      handler: async (request) => {
        const signOn = set()
        const given = { ip: request.ip, browser: browserOf(request, signOn) }
        const { url, browser } = await signOn.startLink(request.user, given)
        return reply(201, { url }, { 'set-cookie': setCookie(browser, signOn.secure) })
      },
    }),
    route({
      ...own,
      method: 'delete',
      path: `${PATH}/link`,
      id: 'endSignOnLink',
      summary: "End the link of the caller's account with the issuer, and the rights that it gave.",
      codes: ['forbidden', 'not_found'],
      audit: change('account.unlink', 'delete sign_on_identities', 'caller'),
      responses: { 204: null },
      handler: async ({ user }) => {
        await set().unlink(user)
        return reply(204)
      },
    }),
  ]
}
