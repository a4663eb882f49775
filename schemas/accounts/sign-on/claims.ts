/** Claims of tokens of an issuer (OpenID Connect Core 1.0, Back-Channel Logout 1.0), once their signature was checked. Pure. */

import type { Claims } from './mapping.ts'

/** By how much clocks may differ, in seconds. */
export const SKEW_S = 30

/** How old a logout token may be, in seconds: as long as its id is remembered, at least. */
export const LOGOUT_AGE_S = 300

/** Core 1.0 section 2: a subject has no more. */
const MAX_ID = 255
const MAX_EMAIL = 254
const MAX_NAME = 200
const MAX_ALIAS = 100

/** One plain address, as the routes of the API take it. */
const EMAIL = /^[!#$%&'*+\-./0-9=?A-Z^_`a-z{|}~]+@[0-9A-Za-z.-]+$/

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export type Profile = {
  /** An address that the issuer has verified; null: it says none, or has not verified it. */
  email: string | null
  fullName: string
  alias: string
}

/**
 * Why an ID token is not for us, or null. An audience beside this client, or a party that is another one, is somebody
 * else's token; one that was made in the future comes from a clock that cannot be trusted.
 */
export function idTokenFault(claims: Claims, clientId: string, nowS: number): string | null {
  if (!isFor(claims.aud, clientId)) return 'the audience is not this client alone'
  if (claims.azp !== undefined && claims.azp !== clientId) return 'the authorized party is another one'
  if (typeof claims.iat !== 'number' || claims.iat > nowS + SKEW_S) return 'it was made in the future'
  if (!isId(claims.sub)) return 'the subject is not usable'
  return claims.sid === undefined || isId(claims.sid) ? null : 'the session is not usable'
}

export type Logout = {
  issuer: string
  subject: string | null
  sid: string | null
  /** The id of the token, which counts once. */
  jti: string
}

/** What a logout token ends, or why it ends nothing (Back-Channel Logout 1.0, section 2.6). `type` is that of its header. */
export function logoutOf(claims: Claims, type: string | undefined, clientId: string, nowS: number): Logout | string {
  const { iss, aud, iat, jti, sub, sid, events, nonce } = claims
  if (type !== undefined && !/^(?:application\/)?logout\+jwt$|^jwt$/i.test(type)) return 'it is another kind of token'
  if (typeof iss !== 'string' || !isFor(aud, clientId)) return 'the audience is not this client alone'
  if (typeof iat !== 'number' || iat > nowS + SKEW_S) return 'it was made in the future'
  if (iat < nowS - LOGOUT_AGE_S - SKEW_S) return 'it is too old'
  if (nonce !== undefined) return 'it has a nonce'
  if (!isObject(events) || !Object.hasOwn(events, LOGOUT_EVENT) || !isObject(events[LOGOUT_EVENT]))
    return 'it does not describe a logout'
  if (!isId(jti)) return 'it has no id'
  if ((sub !== undefined && !isId(sub)) || (sid !== undefined && !isId(sid))) return 'the subject is not usable'
  if (sub === undefined && sid === undefined) return 'it names neither a subject nor a session'
  return { issuer: iss, jti, subject: sub ?? null, sid: sid ?? null }
}

/** The names of a person. The address and whether it was verified come from one place: the ID token where it has one. */
export function profileOf(idToken: Claims, userInfo: Claims): Profile {
  const mail = idToken.email === undefined ? userInfo : idToken
  const claims = { ...userInfo, ...idToken }
  const email = mail.email_verified === true && isEmail(mail.email) ? mail.email : null
  const alias = firstText(claims.nickname, claims.preferred_username, email?.split('@')[0])
  return { email, fullName: firstText(claims.name).slice(0, MAX_NAME), alias: alias.slice(0, MAX_ALIAS) }
}

const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_EMAIL && EMAIL.test(value)

const isFor = (audience: unknown, clientId: string): boolean =>
  audience === clientId || (Array.isArray(audience) && audience.length === 1 && audience[0] === clientId)

const isId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= MAX_ID &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value)

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first text, on one line. */
function firstText(...values: unknown[]): string {
  const text = values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}
