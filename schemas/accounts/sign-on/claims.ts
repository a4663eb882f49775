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
/** Names of claims that are told. */
const MAX_NAMES = 30

/** One plain address, as the routes of the API take it. */
const EMAIL = /^[!#$%&'*+\-./0-9=?A-Z^_`a-z{|}~]+@[0-9A-Za-z.-]+$/

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** `why`: which claim is missing or says no, without values of claims. */
export type NoEmail = { reason: 'no-email' | 'no-verified-email'; why: string }

export type Profile = {
  /** An address that the issuer has verified, or that counts as verified; null: there is none. */
  email: string | null
  /** It counts although the issuer does not say that it has verified it. */
  isAssumed: boolean
  /** Why there is none; null: there is one. */
  noEmail: NoEmail | null
  fullName: string
  alias: string
}

/**
 * Why an ID token is not for us, or null. An audience beside this client, or a party that is another one, is somebody
 * else's token; one that was made in the future comes from a clock that cannot be trusted.
 */
export function idTokenFault(claims: Claims, clientId: string, nowS: number): string | null {
  if (!isFor(claims.aud, clientId)) return 'the audience is not only this client'
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
  if (typeof iss !== 'string' || !isFor(aud, clientId)) return 'the audience is not only this client'
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

/**
 * The names of a person. The address and whether it was verified come from one place: the ID token where it has one, or the
 * user info where that says it of the same address.
 * @param trustsEmail addresses of this issuer count, whether or not it says that it has verified them (ADR 256)
 */
export function profileOf(idToken: Claims, userInfo: Claims, trustsEmail = false): Profile {
  const isInToken = idToken.email !== undefined
  const isSame = isInToken && saysVerified(idToken) === undefined && userInfo.email === idToken.email
  const mail = isInToken && !isSame ? idToken : userInfo
  const claims = { ...userInfo, ...idToken }
  const noEmail = noEmailOf(mail, claims, trustsEmail)
  const email = noEmail === null ? (mail.email as string) : null
  const isAssumed = email !== null && !isYes(saysVerified(mail))
  const alias = firstText(claims.nickname, claims.preferred_username, email?.split('@')[0])
  return {
    email,
    isAssumed,
    noEmail,
    fullName: firstText(claims.name).slice(0, MAX_NAME),
    alias: alias.slice(0, MAX_ALIAS),
  }
}

function noEmailOf(mail: Claims, all: Claims, trustsEmail: boolean): NoEmail | null {
  if (mail.email === undefined || mail.email === null || mail.email === '')
    return { reason: 'no-email', why: `there is no claim email; there are ${namesOf(all)}` }
  if (!isEmail(mail.email)) return { reason: 'no-email', why: 'the claim email is not a plain mail address' }
  const verified = saysVerified(mail)
  if (trustsEmail || isYes(verified)) return null
  const why =
    verified === undefined
      ? 'the claim email_verified (of Entra ID: xms_edov) is missing'
      : 'the claim email_verified or xms_edov is not true'
  return { reason: 'no-verified-email', why: `${why}; HARRIER_OIDC_TRUST_EMAIL makes addresses of this issuer count` }
}

/** What Entra ID says in place of the standard's claim stands behind it. */
const saysVerified = (claims: Claims): unknown => claims.email_verified ?? claims.xms_edov

/** Cognito sends text, and Entra ID numbers. */
const isYes = (value: unknown): boolean => value === true || value === 1 || /^(?:true|1)$/i.test(String(value))

/** Names of claims on one line, the first ones of many. */
function namesOf(claims: Claims): string {
  const names = Object.keys(claims).sort()
  const shown = names.slice(0, MAX_NAMES).map((name) => firstText(name).slice(0, MAX_NAME))
  return `${shown.join(', ')}${names.length > MAX_NAMES ? ', ...' : ''}`
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
