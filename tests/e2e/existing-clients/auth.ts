/** Authentication: what the public JavaScript client sends, method by method, and the administration of the Go client. */

import { at, type Call, kept } from './call.ts'

const AUTH = '/api/auth/v2'
const unixSeconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) < 1e11
const text = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** A new address each time: a table may be replayed beside itself. */
const address = (name: string): string => `${name}.${process.hrtime.bigint()}@example.com`
const ADA = address('ada')

export const auth: readonly Call[] = [
  {
    method: 'auth.signUp',
    args: [{ email: ADA, fullName: 'Ada Lovelace', alias: 'ada' }],
    verb: 'POST',
    path: `${AUTH}/user`,
    body: { email: ADA, fullName: 'Ada Lovelace', alias: 'ada' },
    by: 'anonymous',
    status: 201,
    keep: (answer, known) => {
      kept('bearer', 'bearer')(answer, known)
      kept('sessionID', 'sessionID')(answer, known)
      kept('codeID', 'verificationCodeID')(answer, known)
    },
    holds: (answer) => unixSeconds(at(answer, 'expireAt')),
  },
  {
    method: 'auth.verifySession',
    args: (known) => [{ verificationCodeID: known.codeID, code: known[`code of ${ADA}`] }],
    verb: 'PUT',
    path: `${AUTH}/session/verification`,
    body: (known) => ({ verificationCodeID: known.codeID, code: known[`code of ${ADA}`] }),
    by: 'anonymous',
    status: 200,
    holds: (answer) => at(answer, 'message') === 'acknowledged',
  },
  {
    method: 'auth.createSession',
    args: [ADA],
    verb: 'POST',
    path: `${AUTH}/session`,
    body: { email: ADA, kind: 'standard' },
    by: 'anonymous',
    status: 201,
    holds: (answer) => at(answer, 'kind') === 'standard' && text(at(answer, 'bearer')),
  },
  {
    method: 'auth.getSession',
    args: [],
    verb: 'GET',
    path: `${AUTH}/session`,
    status: 200,
    keep: kept('own session', 'sessionID'),
    holds: (answer) =>
      text(at(answer, 'alias')) &&
      text(at(answer, 'fullName')) &&
      Array.isArray(at(answer, 'roles')) &&
      Array.isArray(at(answer, 'groups')) &&
      at(answer, 'verified') === true &&
      unixSeconds(at(answer, 'expireAt')),
  },
  {
    method: 'auth.extendSession',
    args: [],
    verb: 'PUT',
    path: `${AUTH}/session/extend`,
    status: 200,
    holds: (answer) => at(answer, 'message') === 'acknowledged',
  },
  {
    method: 'auth.listSessions',
    args: [],
    verb: 'GET',
    path: `${AUTH}/sessions`,
    status: 200,
    holds: (answer, known) => {
      const own = sessions(answer).filter((one) => at(one, 'current') === true)
      return own.length === 1 && at(own[0], 'sessionID') === known['own session']
    },
  },
  {
    method: '-',
    verb: 'POST',
    path: (known) => `${AUTH}/admin/user/${known.userID}/session`,
    body: { kind: 'another' },
    by: 'administrator',
    status: 201,
    keep: kept('another session', 'sessionID'),
  },
  {
    method: 'auth.closeSession',
    args: (known) => [known['another session']],
    verb: 'DELETE',
    path: (known) => `${AUTH}/session/${known['another session']}`,
    status: 204,
  },
  {
    method: 'auth.createKeyPair',
    args: [{ name: 'laptop', days: 30 }],
    verb: 'POST',
    path: `${AUTH}/keypair`,
    body: { name: 'laptop', days: 30 },
    status: 201,
    keep: kept('keyID', 'keyID'),
    holds: (answer) => text(at(answer, 'apiSecret')) && at(answer, 'keyName') === 'laptop',
  },
  {
    method: 'auth.listKeyPairs',
    args: [],
    verb: 'GET',
    path: `${AUTH}/keypairs`,
    status: 200,
    holds: (answer, known) => (at(answer, 'keys') as unknown[]).some((one) => at(one, 'keyID') === known.keyID),
  },
  {
    method: 'auth.deleteKeyPair',
    args: (known) => [known.keyID],
    verb: 'DELETE',
    path: (known) => `${AUTH}/keypair/${known.keyID}`,
    status: 204,
  },
  {
    method: 'auth.findUserByEmail',
    args: (known) => [known.email],
    verb: 'GET',
    path: (known) => `${AUTH}/user/by-email?email=${encodeURIComponent(known.email!)}`,
    status: 200,
    holds: (answer, known) => at(answer, 'userID') === known.userID,
  },
  {
    method: 'auth.getVerificationStatus',
    args: [],
    verb: 'GET',
    path: `${AUTH}/verify/status`,
    status: 200,
    holds: (answer) => text(at(answer, 'status')) && at(answer, 'maxAttempts') === 3,
  },
  {
    method: 'auth.initiateVerification',
    args: [],
    verb: 'POST',
    path: `${AUTH}/verify`,
    status: 200,
    holds: (answer) => at(answer, 'status') === 'pending' && at(answer, 'attempts') === 1,
  },
]

const sessions = (answer: unknown): unknown[] => at(answer, 'sessions') as unknown[]
