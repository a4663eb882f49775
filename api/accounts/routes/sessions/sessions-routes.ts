/** Registration and sessions by mail (decisions 2.5). Times are Unix seconds. */

import { Type } from 'typebox'
import type { SessionRecord } from '../../../../connectors/postgres/accounts/sessions/port.ts'
import { type Identity, ROLES } from '../../../../schemas/accounts/accounts.ts'
import { type Action, change, notAudited, refusing } from '../../../../schemas/audit/action.ts'
import {
  ACKNOWLEDGED,
  acknowledgement,
  CLOSED,
  email,
  idParam,
  seconds,
  text,
  unixSeconds,
  uuid,
} from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import { isSession, type UserSessions } from '../../services/sessions/sessions-service.ts'

const RegistrationBody = Type.Object({ email, fullName: text(0, 200), alias: text(0, 100) }, CLOSED)

const LogInBody = Type.Object(
  {
    email,
    kind: Type.Optional(
      Type.String({ ...text(0, 50), description: 'A label that the client chooses; stored with the session.' }),
    ),
  },
  CLOSED,
)

const CodeBody = Type.Object({ verificationCodeID: uuid, code: Type.String({ pattern: '^\\d{6}$' }) }, CLOSED)

const OpenedRecord = Type.Object({
  bearer: Type.String({ description: 'Shown only once; usable only after the verification.' }),
  sessionID: uuid,
  expireAt: unixSeconds,
  verificationCodeID: uuid,
  kind: Type.String(),
})

const SessionShown = Type.Object({
  sessionID: uuid,
  userID: uuid,
  kind: Type.String(),
  verified: Type.Boolean(),
  createdAt: unixSeconds,
  expireAt: unixSeconds,
  current: Type.Boolean({ description: 'whether the caller uses this session' }),
})

const OwnSession = Type.Object({
  ...SessionShown.properties,
  alias: Type.String(),
  fullName: Type.String(),
  roles: Type.Array(Type.Enum([...ROLES])),
  groups: Type.Array(Type.String(), { description: 'all groups that the caller reads' }),
})

const VerifiedRecord = Type.Object({
  ...acknowledgement,
  verified: Type.Boolean(),
  sessionID: Type.Optional(uuid),
  keyID: Type.Optional(uuid),
  emailID: Type.Optional(uuid),
  expireAt: Type.Union([unixSeconds, Type.Null()]),
})

const showSession = (user: Identity, { id, userId, kind, verified, createdAt, expiresAt }: SessionRecord) => ({
  sessionID: id,
  userID: userId,
  kind,
  verified,
  createdAt: seconds(createdAt),
  expireAt: seconds(expiresAt),
  current: isSession(user, id),
})

type Opened = Awaited<ReturnType<UserSessions['logIn']>>

const replyOpened = (kind: string, { bearer, sessionId, expiresAt, verificationCodeId }: Opened) =>
  reply(201, {
    bearer,
    sessionID: sessionId,
    expireAt: seconds(expiresAt),
    verificationCodeID: verificationCodeId,
    kind,
  })

const PATH = '/auth/v2/session'

// Old credentials that a client still sends must not prevent it from getting new ones.
const door = { tag: 'Sessions', access: 'open', scope: null } as const
const own = { tag: 'Sessions', access: 'authenticated', scope: 'account' } as const

/** One door under three names: a code makes count what it was mailed for, whichever of them it comes through. */
const verificationRoute = (sessions: UserSessions, what: string, id: string, audit: Action): Route =>
  route({
    ...door,
    method: 'put',
    path: `/auth/v2/${what}/verification`,
    id,
    summary: 'Verify a session, a key pair or an email address with the mailed code.',
    codes: ['rate_limited'],
    audit: refusing(audit, WRONG_CODE),
    body: CodeBody,
    responses: { 200: VerifiedRecord },
    handler: async ({ body }) => {
      const { of, id, expiresAt } = await sessions.verify(body.verificationCodeID, body.code)
      return reply(200, {
        ...ACKNOWLEDGED,
        verified: true,
        [VERIFIED_AS[of]]: id,
        expireAt: expiresAt === null ? null : seconds(expiresAt),
      })
    },
  })

/** A wrong code is a refusal in the audit log, as wrong credentials are. */
const WRONG_CODE = 400
const UNTIL_CODE = 'nothing is opened until the mailed code comes back, which is written'

const VERIFIED_AS = { session: 'sessionID', 'key pair': 'keyID', email: 'emailID' } as const

export const sessionRoutes = (sessions: UserSessions): Route[] => [
  route({
    ...door,
    method: 'post',
    path: '/auth/v2/user',
    id: 'register',
    summary: 'Register a user. A code is mailed; the user and the session exist after the verification.',
    codes: ['rate_limited'],
    audit: notAudited(UNTIL_CODE),
    body: RegistrationBody,
    responses: { 201: OpenedRecord },
    handler: async ({ body, ip }) => replyOpened('', await sessions.register(body, ip)),
  }),
  route({
    ...door,
    method: 'post',
    path: PATH,
    id: 'openSession',
    summary:
      'Open a session. A code is mailed if the address belongs to a user; the answer is the same in either case.',
    codes: ['rate_limited'],
    audit: notAudited(UNTIL_CODE),
    body: LogInBody,
    responses: { 201: OpenedRecord },
    handler: async ({ body, ip }) => {
      const { email: address, kind = '' } = body
      return replyOpened(kind, await sessions.logIn(address, kind, ip))
    },
  }),
  verificationRoute(sessions, 'session', 'verifyCode', change('session.start', 'insert sessions', null)),
  verificationRoute(sessions, 'keypair', 'verifyKeyPair', change('key.verify', 'update key_pairs', null)),
  verificationRoute(sessions, 'email', 'verifyEmail', change('email.verify', 'update emails', null)),
  route({
    ...own,
    method: 'get',
    path: PATH,
    id: 'getSession',
    summary: "Get the caller's session.",
    codes: ['not_found'],
    responses: { 200: OwnSession },
    handler: async ({ user }) => {
      const { session, fullName, alias } = await sessions.own(user)
      const { roles, groups } = user
      return reply(200, { ...showSession(user, session), fullName, alias, roles: [...roles], groups: [...groups] })
    },
  }),
  route({
    ...own,
    method: 'get',
    path: `${PATH}/{id}`,
    id: 'getSessionById',
    summary: "Get a session of the caller's user.",
    codes: ['not_found'],
    params: idParam,
    responses: { 200: SessionShown },
    handler: async ({ user, params }) => reply(200, showSession(user, await sessions.get(user, params.id))),
  }),
  route({
    ...own,
    method: 'get',
    path: '/auth/v2/sessions',
    id: 'listSessions',
    summary: "List the sessions of the caller's user, newest first.",
    responses: { 200: Type.Object({ sessions: Type.Array(SessionShown) }) },
    handler: async ({ user }) =>
      reply(200, { sessions: (await sessions.list(user)).map((one) => showSession(user, one)) }),
  }),
  route({
    ...own,
    method: 'put',
    path: `${PATH}/extend`,
    id: 'extendSession',
    summary: "Extend the caller's session to 30 days from now; one of single sign-on ends 12 hours after it began.",
    codes: ['not_found'],
    audit: change('session.extend', 'sessions', 'caller'),
    responses: { 200: Type.Object({ ...acknowledgement, sessionID: uuid, expireAt: unixSeconds }) },
    handler: async ({ user }) => {
      const { id, expiresAt } = await sessions.extend(user)
      return reply(200, { ...ACKNOWLEDGED, sessionID: id, expireAt: seconds(expiresAt) })
    },
  }),
  route({
    ...own,
    method: 'delete',
    path: PATH,
    id: 'endSession',
    summary: "End the caller's session.",
    codes: ['not_found'],
    audit: change('session.end', 'sessions', 'caller'),
    responses: { 204: null },
    handler: async ({ user }) => {
      await sessions.end(user)
      return reply(204)
    },
  }),
  route({
    ...own,
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'endSessionById',
    summary: "End a session of the caller's user.",
    codes: ['not_found'],
    audit: change('session.end', 'sessions', { param: 'id' }),
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await sessions.end(user, params.id)
      return reply(204)
    },
  }),
]
