/** Registration, sessions and what is done with them (decisions 2.5). */

import type {
  Codes,
  Redeemed,
  SessionRecord,
  Sessions,
  Subject,
} from '../../../../connectors/postgres/accounts/sessions/port.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { newBearer, secretHash } from '../../../../schemas/accounts/credentials.ts'
import { ApiError } from '../../../http/errors.ts'
import { CODE_MS, SESSION_MS, type Verification } from './verification.ts'

/** `bearer` is returned once. It is valid only after its code is verified, and expires with the code. */
type OpenedSession = { bearer: string; sessionId: string; expiresAt: number; verificationCodeId: string }

export type UserSessions = {
  /** The answer does not reveal whether the email has a user; if so, the code opens a session of that user. */
  register(user: { email: string; fullName: string; alias: string }, ip: string): Promise<OpenedSession>
  /** An unknown email gets the same answer after the same time, but no mail is sent. */
  logIn(email: string, kind: string, ip: string): Promise<OpenedSession>
  verify(verificationCodeId: string, code: string): Promise<Redeemed>
  /** The one that the caller came with, and its user's names. Throws 404 for a caller with a key pair. */
  own(user: Identity): Promise<{ session: SessionRecord; fullName: string; alias: string }>
  /** Throws 404 for none and for another user's. */
  get(user: Identity, id: string): Promise<SessionRecord>
  list(user: Identity): Promise<SessionRecord[]>
  end(user: Identity, id?: string): Promise<void>
  /** Another 30 days from now, of single sign-on the rest of its 12 hours; in Unix milliseconds. */
  extend(user: Identity): Promise<{ id: string; expiresAt: number }>
}

type Ports = {
  accounts: Pick<Accounts, 'user'>
  store: Pick<Codes, 'userIdOf'> & Sessions
  verification: Verification
  now: () => number
  newId: () => string
}

export function userSessions({ accounts, store, verification, now, newId }: Ports): UserSessions {
  type SessionSubject = (session: { id: string; tokenHash: Buffer; kind: string }) => Subject

  const open = async (email: string, kind: string, ip: string, subject: SessionSubject): Promise<OpenedSession> => {
    const bearer = newBearer()
    const sessionId = newId()
    const expiresAt = now() + CODE_MS
    const made = subject({ id: sessionId, tokenHash: secretHash(bearer), kind })
    return { bearer, sessionId, expiresAt, verificationCodeId: await verification.issue(email, ip, made) }
  }

  const get = async (user: Identity, id: string): Promise<SessionRecord> => {
    const session = await store.session(user.userId, id, now())
    if (session === null) throw noSuchSession()
    return session
  }

  return {
    register: (user, ip) =>
      open(user.email, '', ip, (session) => ({ of: 'registration', user: { id: newId(), ...user }, session })),

    async logIn(email, kind, ip) {
      const userId = await store.userIdOf(email)
      return open(email, kind, ip, (session) => (userId === null ? { of: 'nobody' } : { of: 'login', userId, session }))
    },

    verify: (id, code) => verification.redeem(id, code),

    async own(user) {
      const [session, account] = await Promise.all([get(user, ownId(user)), accounts.user(user.userId)])
      // Deleted between the credential and this question.
      if (account === null) throw new ApiError('unauthorized')
      return { session, fullName: account.fullName, alias: account.alias }
    },

    get,

    list: (user) => store.sessions(user.userId, now()),

    async end(user, id = ownId(user)) {
      if (!(await store.endSession(user.userId, id))) throw noSuchSession()
    },

    async extend(user) {
      const id = ownId(user)
      const at = { now: now(), expiresAt: now() + SESSION_MS }
      const expiresAt = await store.extendSession(user.userId, id, at)
      if (expiresAt === null) throw noSuchSession()
      return { id, expiresAt }
    },
  }
}

const noSuchSession = () => new ApiError('not_found', { message: 'no such session' })

/** Whether the caller came with that session. */
export const isSession = ({ by }: Identity, id: string): boolean => by?.kind === 'session' && by.id === id

function ownId({ by }: Identity): string {
  if (by?.kind !== 'session') throw new ApiError('not_found', { message: 'the caller has no session' })
  return by.id
}
