/** User accounts, for administrators (decisions 2.6). */

import { Type } from 'typebox'
import { ROLES } from '../../../../schemas/accounts/accounts.ts'
import { CHECK_STATES } from '../../../../schemas/accounts/identity/identity-check.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { MAX_GROUP_LENGTH, MAX_GROUPS } from '../../../../schemas/intelligence/observations/audience.ts'
import { CLOSED, email, text as name, PageUrl, pagesOf, paging } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { CompleteUser } from '../../services/users/user-records.ts'
import type { Users } from '../../services/users/users-service.ts'
import { BoundsShown, NewKeyBody, showBounds } from '../sessions/key-fields.ts'
import { EmailRecord, shownEmail } from './emails.ts'

const Roles = Type.Array(Type.Enum([...ROLES]), { uniqueItems: true })
const Groups = Type.Array(Type.String({ minLength: 1, maxLength: MAX_GROUP_LENGTH, pattern: '^[!-~]+$' }), {
  maxItems: MAX_GROUPS,
  uniqueItems: true,
  description: 'Assigned groups, without the groups of memberships. Default for a new user: `public`.',
})

const UserId = Type.Object({ id: Type.String({ format: 'uuid' }) })

const NewUserBody = Type.Object(
  {
    email,
    fullName: Type.Optional(name(0, 200)),
    alias: Type.Optional(name(0, 100)),
    roles: Type.Optional(Roles),
    groups: Type.Optional(Groups),
  },
  CLOSED,
)

const IntroducedBody = Type.Object(
  {
    ...NewUserBody.properties,
    portalURL: Type.Optional(Type.Union([PageUrl, Type.Literal('')], { description: 'Shown in the mail.' })),
    notify: Type.Optional(Type.Boolean({ description: 'Whether the user is notified by mail.' })),
  },
  CLOSED,
)

const ChangeBody = Type.Object(
  { roles: Type.Optional(Roles), groups: Type.Optional(Groups), disabled: Type.Optional(Type.Boolean()) },
  CLOSED,
)

const UserRecord = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The same as `userID`.' }),
  userID: Type.String({ format: 'uuid' }),
  email: Type.String({ description: 'the preferred address' }),
  emails: Type.Array(EmailRecord, { description: 'all addresses, the preferred one first' }),
  fullName: Type.String(),
  alias: Type.String(),
  roles: Roles,
  groups: Groups,
  mapped: Type.Object({ roles: Roles, groups: Groups }, { description: 'what single sign-on gives in addition' }),
  disabled: Type.Boolean(),
  enabled: Type.Boolean({ description: 'whether the user is enabled' }),
  verified: Type.Boolean({ description: 'whether the identity was verified' }),
  createdAt: Type.String({ format: 'date-time' }),
})

const UsersRecord = Type.Object({
  users: Type.Array(UserRecord),
  items: Type.Integer({ description: 'total number of matching users' }),
  pages: Type.Integer(),
})

const IssuedKeyRecord = Type.Object({
  apiKey: Type.String(),
  apiSecret: Type.String({ description: 'Shown only once.' }),
  keyID: Type.String({ format: 'uuid' }),
  keyName: Type.String(),
  expireAt: Type.Integer({ description: 'Unix seconds.' }),
  ...BoundsShown,
  verified: Type.Boolean(),
})

const showUser = ({ id, createdAt, emails, ...user }: CompleteUser) => ({
  id,
  userID: id,
  ...user,
  emails: emails.map(shownEmail),
  enabled: !user.disabled,
  createdAt: new Date(createdAt).toISOString(),
})

const PATH = '/auth/v2/admin/user'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

export const adminUserRoutes = (users: Users): Route[] => [
  route({
    ...common,
    method: 'post',
    path: PATH,
    id: 'createUser',
    summary: 'Create a user.',
    codes: ['conflict'],
    audit: change('user.make', 'users', 'made'),
    body: NewUserBody,
    responses: { 201: Type.Object({ userID: Type.String({ format: 'uuid' }) }) },
    handler: async ({ body }) => reply(201, { userID: await users.create(body) }),
  }),
  route({
    ...common,
    method: 'post',
    path: '/auth/v2/partners/user',
    id: 'introduceUser',
    summary: 'Create a user and optionally notify the user by mail.',
    codes: ['conflict'],
    examples: { words: { email: 'ben@example.com', portalURL: 'https://portal.example.com/' } },
    audit: change('user.make', 'users', 'made'),
    body: IntroducedBody,
    responses: { 201: Type.Object({ userID: Type.String({ format: 'uuid' }) }) },
    handler: async ({ body: { portalURL = '', notify = false, ...request } }) =>
      reply(201, { userID: await users.introduce(request, notify ? { portalUrl: portalURL } : null) }),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}s`,
    id: 'listUsers',
    summary: 'List users, newest first.',
    query: Type.Object({
      ...paging.properties,
      query: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 254,
          pattern: '^[^\\u0000]*$',
          description: 'part of an email address or an alias, case-insensitive',
        }),
      ),
      role: Type.Optional(Type.Enum([...ROLES])),
      enabled: Type.Optional(Type.Boolean()),
      verification: Type.Optional(Type.Enum([...CHECK_STATES], { description: 'state of the identity check' })),
    }),
    responses: { 200: UsersRecord },
    handler: async ({ query: { verification: check, ...query } }) => {
      const { users: found, items } = await users.list({ ...query, check })
      return reply(200, { users: found.map(showUser), items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}`,
    id: 'getUser',
    summary: 'Get a user.',
    codes: ['not_found'],
    params: UserId,
    responses: { 200: UserRecord },
    handler: async ({ params }) => reply(200, showUser(await users.get(params.id))),
  }),
  route({
    ...common,
    method: 'put',
    path: `${PATH}/{id}`,
    id: 'updateUser',
    summary: 'Change roles or groups, or disable a user. Fields that are not given stay unchanged.',
    codes: ['not_found'],
    audit: change('user.change', 'users', { param: 'id' }),
    params: UserId,
    body: ChangeBody,
    responses: { 200: UserRecord },
    handler: async ({ user, params, body }) => reply(200, showUser(await users.update(user, params.id, body))),
  }),
  route({
    ...common,
    method: 'delete',
    path: `${PATH}/{id}`,
    id: 'deleteUser',
    summary:
      'Delete a user. Keys and sessions end at once; the remaining resources of the user are removed shortly after.',
    codes: ['not_found', 'payment_failed'],
    audit: change('user.delete', 'users', { param: 'id' }),
    params: UserId,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await users.remove(user, params.id)
      return reply(204)
    },
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/{id}/keypair`,
    id: 'createKeyPairForUser',
    summary: 'Issue a key pair to a user; it may be narrowed. A narrowed key pair cannot issue one with wider bounds.',
    codes: ['not_found', 'conflict'],
    examples: { body: { name: 'SIEM', days: 90, scopes: ['read', 'search'] } },
    audit: change('key.make', 'key_pairs', 'made'),
    params: UserId,
    body: NewKeyBody,
    emptyBody: { name: 'created by an administrator', days: 365 },
    responses: { 201: IssuedKeyRecord },
    handler: async ({ user, params, body }) => {
      const key = await users.issueKey(user, params.id, body)
      return reply(201, {
        apiKey: key.apiKey,
        apiSecret: key.apiSecret,
        keyID: key.id,
        keyName: key.name,
        expireAt: Math.floor(key.expiresAt / 1000),
        ...showBounds(key.bounds),
        verified: true,
      })
    },
  }),
]
