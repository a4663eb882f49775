/** Single sign-on through the issuer of an organisation (decisions 16.3; ADR 276). */

import {
  type IssuerAnswer,
  IssuerUnavailable,
  type Person,
  SignOnFault,
  type SingleSignOn,
} from '../../../connectors/oidc/port.ts'
import type { Linked, SignedIn, SignOnState } from '../../../connectors/postgres/accounts/sessions/port.ts'
import { aboutFound, aboutRefusal } from '../../../connectors/postgres/core/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { newBearer, secretHash } from '../../../schemas/accounts/credentials.ts'
import { LOGOUT_AGE_S, SKEW_S } from '../../../schemas/accounts/sign-on/claims.ts'
import { flowOf, isSecret, newSecret } from '../../../schemas/accounts/sign-on/flow.ts'
import { leftOut, rightsOf } from '../../../schemas/accounts/sign-on/mapping.ts'
import { siteOf } from '../../http/addresses/address-block.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import type { CommonPorts } from '../../ports.ts'
import type { AccountsPorts } from '../ports.ts'
import { consolePage, failed, type LinkOutcome, linked, notLinked, type Reason, signedIn } from './sign-on-ways.ts'

const MINUTE_MS = 60 * 1000

/** From the start to the return of the browser. */
export const STATE_MS = 10 * MINUTE_MS
const SESSION_MS = 12 * 60 * MINUTE_MS
/** As long as a logout token can be valid, with what clocks may differ. */
const LOGOUT_MS = (LOGOUT_AGE_S + 4 * SKEW_S) * 1000

/** Sign-ons under way. An office has one address and many people. */
const MOST = { perAddress: 200, inAll: 20_000 }

/** What the sessions are called in lists. */
const KIND = 'Single sign-on'

type Begin = { browser: string | undefined; ip: string; to?: string | undefined; tab?: string | undefined }
type Begun = { url: string; browser: string }

export type SignOnService = {
  host: string
  secure: boolean
  /** Where the browser goes, and the cookie that it keeps. To the sign-in page where the issuer is away. Throws 429. */
  start(given: Begin): Promise<Begun>
  /** The same for a user who links a person of the issuer. Throws 403 without a session, 409, 429, 503. */
  startLink(user: Identity, given: Begin): Promise<Begun>
  /** Where the browser that came back goes, with what it is told. */
  finish(answer: IssuerAnswer, browser: string | undefined): Promise<string>
  /** Unix milliseconds; null: not linked. */
  linkedAt(user: Identity): Promise<number | null>
  /** Throws 403 without a session, 404 without a link. */
  unlink(user: Identity): Promise<void>
  /** Throws 400 for a token that does not hold, or came before; 503 where its keys cannot be read. */
  logOut(token: string): Promise<void>
}

type Ports = Pick<CommonPorts & AccountsPorts, 'signOn' | 'logger' | 'now' | 'newId'>

export function signOnService(ports: Ports, { issuer, mapping, secure }: SingleSignOn): SignOnService {
  const { signOn: store, logger, now, newId } = ports

  const begin = async (linkUserId: string | null, { browser, ip, to, tab = '' }: Begin): Promise<Begun> => {
    const cookie = isSecret(browser) ? browser : newSecret()
    const state = newSecret()
    const url = await issuer.authorizationUrl(flowOf(cookie, state))
    const createdAt = now()
    const row = {
      stateHash: secretHash(state),
      browserHash: secretHash(cookie),
      address: siteOf(ip),
      linkUserId,
      goesTo: consolePage(to),
      tab,
      createdAt,
      expiresAt: createdAt + STATE_MS,
    }
    if (!(await store.open(row, MOST))) throw new ApiError('rate_limited')
    return { url, browser: cookie }
  }

  const complete = async (state: SignOnState, person: Person): Promise<string> => {
    const at = now()
    if (state.linkUserId !== null) return linkTo(await store.link(person, state.linkUserId, at))
    const bearer = newBearer()
    const rules = await mapping()
    const { elsewhere, absent } = leftOut(rules, person.claims)
    const outcome = await store.signIn({
      person,
      rights: elsewhere.length > 0 ? null : rightsOf(rules, person.claims),
      session: { id: newId(), tokenHash: secretHash(bearer), kind: KIND },
      userId: newId(),
      membershipId: newId(),
      now: at,
      endsAt: at + SESSION_MS,
    })
    if ('refused' in outcome) return notSignedIn(outcome.refused, person)
    const { userId, notMapped } = outcome
    if (elsewhere.length > 0) logger.warn({ userId, claims: elsewhere }, LEFT_OUT)
    if (absent.length > 0) logger.info({ userId, claims: absent }, 'claims of the mapping are not in the tokens')
    if (notMapped !== null) logger.warn({ userId, reason: notMapped }, 'single sign-on did not give a membership')
    return signedIn(state, bearer)
  }

  const notSignedIn = (why: Refusal, { noEmail, subject }: Person): string => {
    const told = why === 'no verified email' && noEmail !== null ? noEmail : { reason: REFUSED[why], why }
    logger.warn({ reason: told.reason, fault: told.why, subject }, FAILED)
    return refused(told.reason)
  }

  /** Rejects for what is neither the issuer's nor the browser's fault. */
  const reasonOf = (error: unknown): Reason => {
    const reason = asReason(error)
    if (reason === null) throw error
    logger.warn({ reason, fault: (error as Error).message }, FAILED)
    return reason
  }

  return {
    host: issuer.host,
    secure,

    async start(given) {
      try {
        return await begin(null, given)
      } catch (error) {
        if (error instanceof ApiError) throw error
        return { url: failed(reasonOf(error)), browser: isSecret(given.browser) ? given.browser : newSecret() }
      }
    },

    async startLink(user, given) {
      mustHaveSession(user)
      if ((await store.linkedAt(user.userId)) !== null)
        throw new ApiError('conflict', { message: 'the account is already linked' })
      try {
        return await begin(user.userId, given)
      } catch (error) {
        if (error instanceof IssuerUnavailable) throw new ApiError('unavailable', {}, { cause: error })
        throw error
      }
    },

    async finish(answer, browser) {
      if (!isSecret(answer.state) || !isSecret(browser)) return refused('expired')
      const state = await store.take(secretHash(answer.state), secretHash(browser), now())
      if (state === null) return refused('expired')
      let person: Person
      try {
        person = await issuer.person(answer, flowOf(browser, answer.state))
      } catch (error) {
        const reason = reasonOf(error)
        recordRefusal(reason)
        return (state.linkUserId === null ? failed : notLinked)(reason)
      }
      return complete(state, person)
    },

    linkedAt: ({ userId }) => store.linkedAt(userId),

    async unlink(user) {
      mustHaveSession(user)
      if (!(await store.unlink(user.userId))) throw new ApiError('not_found', { message: 'the account is not linked' })
    },

    async logOut(token) {
      try {
        const at = now()
        const ended = await store.logOut(await issuer.logout(token), { now: at, expiresAt: at + LOGOUT_MS })
        if (ended === null) throw invalid('logout_token', 'was already used')
      } catch (error) {
        if (error instanceof SignOnFault) {
          logger.warn({ fault: error.message }, 'a logout token was refused')
          throw invalid('logout_token', 'is not valid')
        }
        if (error instanceof IssuerUnavailable) throw new ApiError('unavailable', {}, { cause: error })
        throw error
      }
    },
  }
}

const LEFT_OUT = 'the issuer left claims of the mapping out: what they gave before stays'
const FAILED = 'a sign-on through the issuer failed'

/** In the audit log the subject of a sign-on that failed is its reason, which is a word of our own. */
function recordRefusal(reason: Reason | LinkOutcome): void {
  aboutFound({ subject: reason })
  aboutRefusal()
}

/** To the sign-in page, with the reason; the refusal is recorded. */
function refused(reason: Reason): string {
  recordRefusal(reason)
  return failed(reason)
}

type Refusal = Extract<SignedIn, { refused: unknown }>['refused']

const REFUSED: Record<Refusal, Reason> = {
  disabled: 'disabled',
  'no verified email': 'no-verified-email',
  'email of an account': 'email-of-an-account',
}

function linkTo(outcome: Linked): string {
  if (outcome === 'linked') return linked('linked')
  if (outcome === 'no such user') return refused('expired')
  const reason = outcome === 'has another' ? 'has-another' : 'of-another-user'
  recordRefusal(reason)
  return linked(reason)
}

/** null: an error of our own. */
function asReason(error: unknown): Reason | null {
  if (error instanceof IssuerUnavailable) return 'unavailable'
  return error instanceof SignOnFault ? error.reason : null
}

/** A key that was stolen is not to open a way in that outlives it. */
function mustHaveSession({ by }: Identity): void {
  if (by?.kind !== 'session') throw new ApiError('forbidden', { message: 'a session is required, not a key pair' })
}
