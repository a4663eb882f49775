/** Sessions and key pairs of every user, for administrators (decisions 2.6). */

import type {
  CredentialAdministration,
  KeyPairRecord,
  KeyPairs,
  SessionRecord,
} from '../../../../connectors/postgres/accounts/sessions/port.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity, Role } from '../../../../schemas/accounts/accounts.ts'
import { newBearer, secretHash } from '../../../../schemas/accounts/credentials.ts'
import { ApiError } from '../../../http/errors.ts'
import { keyMaker } from './key-maker.ts'
import { SESSION_MS } from './verification.ts'

type Paging = { page: number; limit: number }

export type Credentials = {
  /** `roles`: those of the user of each session. */
  sessions(paging: Paging): Promise<{ items: number; sessions: (SessionRecord & { roles: Role[] })[] }>
  /** A session of the user that is good at once; `bearer` is known to nobody afterwards. Throws 404 for none. */
  openSession(userId: string, kind: string): Promise<{ bearer: string; sessionId: string; expiresAt: number }>
  /** Also one that waits for its code. The others throw 404 for what is not there. */
  verifySession(id: string): Promise<void>
  endSession(id: string): Promise<void>
  keyPairs(paging: Paging): Promise<{ items: number; keyPairs: KeyPairRecord[] }>
  /** Throws 403 for a narrowed key, if that one is wider. */
  verifyKeyPair(by: Identity, id: string): Promise<void>
  deleteKeyPair(id: string): Promise<void>
}

type Ports = {
  accounts: Accounts
  sessions: CredentialAdministration & Pick<KeyPairs, 'keyPair'>
  now: () => number
  newId: () => string
}

export function credentialAdministration({ accounts, sessions: store, now, newId }: Ports): Credentials {
  const maker = keyMaker(store)
  const span = ({ page, limit }: Paging) => ({ limit, offset: (page - 1) * limit })
  const must = async (what: string, done: Promise<boolean>): Promise<void> => {
    if (!(await done)) throw new ApiError('not_found', { message: `no such ${what}`, param: 'id' })
  }

  return {
    async sessions(paging) {
      const { items, sessions } = await store.allSessions(now(), span(paging))
      const roles = await accounts.rolesOf([...new Set(sessions.map(({ userId }) => userId))])
      return { items, sessions: sessions.map((one) => ({ ...one, roles: roles.get(one.userId) ?? [] })) }
    },

    async openSession(userId, kind) {
      const bearer = newBearer()
      const sessionId = newId()
      const createdAt = now()
      const expiresAt = createdAt + SESSION_MS
      const session = {
        id: sessionId,
        userId,
        tokenHash: secretHash(bearer),
        verified: true,
        kind,
        expiresAt,
        createdAt,
      }
      await must('user', accounts.createSession(session))
      return { bearer, sessionId, expiresAt }
    },

    verifySession: (id) =>
      must('session', store.verifyAnySession(id, { now: now(), sessionExpiresAt: now() + SESSION_MS })),
    endSession: (id) => must('session', store.endAnySession(id)),

    keyPairs: (paging) => store.allKeyPairs(span(paging)),
    async verifyKeyPair(by, id) {
      const pair = await store.anyKeyPair(id)
      if (pair !== null) await maker.checkBounds(by, pair)
      await must('key pair', store.verifyAnyKeyPair(id))
    },
    deleteKeyPair: (id) => must('key pair', store.deleteAnyKeyPair(id)),
  }
}
