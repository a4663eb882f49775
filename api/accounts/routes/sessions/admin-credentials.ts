/** Sessions and key pairs of every user, for administrators. Times are ISO 8601 here. */

import { Type } from 'typebox'
import { type Identity, ROLES } from '../../../../schemas/accounts/accounts.ts'
import { type Action, change } from '../../../../schemas/audit/action.ts'
import { CLOSED, idParam, pagesOf, paging, text, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { Credentials } from '../../services/sessions/credential-administration.ts'
import { BoundsShown, showBounds, shownUntil } from './key-fields.ts'

const Time = Type.String({ format: 'date-time' })
const Never = Type.Union([Time, Type.Null()], { description: 'null: does not expire' })
const counted = { items: Type.Integer({ description: 'total number' }), pages: Type.Integer() }

const Sessions = Type.Object({
  ...counted,
  sessions: Type.Array(
    Type.Object({
      sessionID: uuid,
      userID: uuid,
      roles: Type.Array(Type.Enum([...ROLES]), { description: 'groups of the user' }),
      kind: Type.String(),
      verified: Type.Boolean(),
      createdAt: Time,
      expireAt: Time,
    }),
  ),
})

const KeyPairs = Type.Object({
  ...counted,
  keyPairs: Type.Array(
    Type.Object({
      id: uuid,
      userID: uuid,
      name: Type.String(),
      apiKey: Type.String(),
      verified: Type.Boolean(),
      createdAt: Time,
      expireAt: Never,
      ...BoundsShown,
      previousSecretUntil: Type.Union([Time, Type.Null()], { description: 'null: no old secret works' }),
    }),
  ),
})

const iso = (ms: number): string => new Date(ms).toISOString()

const ADMIN = '/auth/v2/admin'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

/** What is done to a session or a key pair, and how the document and the audit log name it. */
type Act = { id: string; summary: string; audit: Action; run: (by: Identity, id: string) => Promise<void> }

export function adminCredentialRoutes(credentials: Credentials, now: () => number): Route[] {
  const act = (method: 'put' | 'delete', path: string, { run, ...declared }: Act) =>
    route({
      ...common,
      method,
      path: `${ADMIN}/${path}`,
      ...declared,
      codes: ['not_found'],
      params: idParam,
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await run(user, params.id)
        return reply(204)
      },
    })

  return [
    route({
      ...common,
      method: 'get',
      path: `${ADMIN}/sessions`,
      id: 'listAllSessions',
      summary: 'List the sessions of all users, newest first.',
      query: paging,
      responses: { 200: Sessions },
      handler: async ({ query }) => {
        const { items, sessions } = await credentials.sessions(query)
        const shown = sessions.map(({ id, userId, createdAt, expiresAt, ...session }) => ({
          ...session,
          sessionID: id,
          userID: userId,
          createdAt: iso(createdAt),
          expireAt: iso(expiresAt),
        }))
        return reply(200, { items, pages: pagesOf(items, query.limit), sessions: shown })
      },
    }),
    route({
      ...common,
      method: 'post',
      path: `${ADMIN}/user/{id}/session`,
      id: 'openSessionForUser',
      summary: 'Open a verified session for a user, without a mailed code.',
      codes: ['not_found', 'conflict'],
      audit: change('session.open', 'sessions', { param: 'id' }),
      params: idParam,
      body: Type.Object({ kind: Type.Optional(text(0, 50)) }, CLOSED),
      emptyBody: {},
      responses: {
        201: Type.Object({ bearer: Type.String({ description: 'Shown only once.' }), sessionID: uuid, expireAt: Time }),
      },
      handler: async ({ params, body }) => {
        const { bearer, sessionId, expiresAt } = await credentials.openSession(params.id, body.kind ?? '')
        return reply(201, { bearer, sessionID: sessionId, expireAt: iso(expiresAt) })
      },
    }),
    act('put', 'session/{id}/verify', {
      id: 'verifySession',
      summary: 'Verify a session without its code, for example when the mail did not arrive.',
      audit: change('session.verify', 'sessions', { param: 'id' }),
      run: (_, id) => credentials.verifySession(id),
    }),
    act('delete', 'session/{id}', {
      id: 'endAnySession',
      summary: 'End any user’s session.',
      audit: change('session.end', 'sessions', { param: 'id' }),
      run: (_, id) => credentials.endSession(id),
    }),
    route({
      ...common,
      method: 'get',
      path: `${ADMIN}/keypairs`,
      id: 'listAllKeyPairs',
      summary: 'List the key pairs of all users, newest first, without secrets.',
      query: paging,
      responses: { 200: KeyPairs },
      handler: async ({ query }) => {
        const { items, keyPairs } = await credentials.keyPairs(query)
        const shown = keyPairs.map(({ userId, createdAt, expiresAt, bounds, previousUntil, ...pair }) => {
          const until = shownUntil(previousUntil, now())
          return {
            ...pair,
            userID: userId,
            createdAt: iso(createdAt),
            expireAt: expiresAt === null ? null : iso(expiresAt),
            ...showBounds(bounds),
            previousSecretUntil: until === null ? null : iso(until),
          }
        })
        return reply(200, { items, pages: pagesOf(items, query.limit), keyPairs: shown })
      },
    }),
    act('put', 'keypair/{id}/verify', {
      id: 'verifyAnyKeyPair',
      summary: 'Verify a key pair without its code, for example when the mail did not arrive.',
      audit: change('key.verify', 'key_pairs', { param: 'id' }),
      run: credentials.verifyKeyPair,
    }),
    act('delete', 'keypair/{id}', {
      id: 'deleteAnyKeyPair',
      summary: 'Delete any user’s key pair.',
      audit: change('key.delete', 'key_pairs', { param: 'id' }),
      run: (_, id) => credentials.deleteKeyPair(id),
    }),
  ]
}
