/** The caller's own account. */

import { Type } from 'typebox'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ROLES } from '../../../../schemas/accounts/accounts.ts'
import { MEMBER_ROLES } from '../../../../schemas/accounts/team.ts'
import { uuid } from '../../../http/fields.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { Caller } from '../../services/users/caller.ts'
import type { Users } from '../../services/users/users.ts'

const CallerRecord = Type.Object({
  userID: uuid,
  email: Type.Union([Type.String(), Type.Null()], { description: 'null: the administrator of the configuration' }),
  fullName: Type.String(),
  alias: Type.String(),
  roles: Type.Array(Type.Enum([...ROLES])),
  groups: Type.Array(Type.String(), {
    description: 'all that the caller reads, that of its membership and public too',
  }),
  administrator: Type.Boolean({ description: 'whether this is the administrator of the configuration' }),
  customer: Type.Union([
    Type.Object({
      customerID: uuid,
      name: Type.String(),
      role: Type.Enum([...MEMBER_ROLES]),
      accepted: Type.Boolean({ description: 'false: until then, what the user reports stays its own' }),
    }),
    Type.Null(),
  ]),
  session: Type.Boolean({ description: 'true: called with a session; false: with a key pair' }),
})

const common = { path: '/auth/v2/user', tag: 'Sessions', access: 'authenticated' } as const

type Ports = { caller: (user: Identity) => Promise<Caller>; users: Pick<Users, 'removeOwn'> }

export const callerRoutes = ({ caller, users }: Ports): Route[] => [
  route({
    ...common,
    method: 'get',
    summary: 'Who the caller is: account, roles, groups and customer.',
    responses: { 200: CallerRecord },
    handler: async ({ user }) => reply(200, await caller(user)),
  }),
  route({
    ...common,
    method: 'delete',
    summary: 'Delete the own account. A customer ends with its last owner.',
    responses: { 204: null },
    handler: async ({ user }) => {
      await users.removeOwn(user)
      return reply(204)
    },
  }),
]
