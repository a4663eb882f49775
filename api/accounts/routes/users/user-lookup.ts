/** Users that a caller may find: itself, accepted members of its customer, and for `auth_admin` all users. */

import { Type } from 'typebox'
import { email, idParam, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { UserLookup } from '../../services/users/user-lookup.ts'

const common = { method: 'get', tag: 'Sessions', access: 'authenticated', scope: 'account' } as const

export const userLookupRoutes = (lookup: UserLookup): Route[] => [
  route({
    ...common,
    path: '/auth/v2/user/by-email',
    id: 'findUserByEmail',
    summary:
      'Find a user by a verified address: the caller, or an accepted member of the caller’s customer; with the role `auth_admin` any user. Otherwise 404.',
    codes: ['not_found'],
    query: Type.Object({ email }),
    responses: { 200: Type.Object({ userID: uuid }) },
    handler: async ({ user, query }) => reply(200, { userID: await lookup.idByEmail(user, query.email) }),
  }),
  route({
    ...common,
    path: '/auth/v2/user/{id}',
    id: 'findUser',
    summary:
      'Get the names of a user: the caller, or an accepted member of the caller’s customer; with the role `auth_admin` any user. Otherwise 404.',
    codes: ['not_found'],
    params: idParam,
    responses: { 200: Type.Object({ userID: uuid, alias: Type.String() }) },
    handler: async ({ user, params }) => {
      const { id, alias } = await lookup.byId(user, params.id.toLowerCase())
      return reply(200, { userID: id, alias })
    },
  }),
]
