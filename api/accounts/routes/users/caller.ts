/** The caller's own account. */

import { Type } from 'typebox'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ROLES } from '../../../../schemas/accounts/accounts.ts'
import { MEMBER_ROLES } from '../../../../schemas/accounts/team.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { Caller } from '../../services/users/caller.ts'
import type { Users } from '../../services/users/users-service.ts'

const Membership = Type.Object({ customerID: uuid, name: Type.String(), role: Type.Enum([...MEMBER_ROLES]) })

const CallerRecord = Type.Object({
  userID: uuid,
  email: Type.Union([Type.String(), Type.Null()], { description: 'null for the built-in administrator' }),
  fullName: Type.String(),
  alias: Type.String(),
  roles: Type.Array(Type.Enum([...ROLES])),
  groups: Type.Array(Type.String(), {
    description: 'all groups that the caller reads, including `public` and the group of the membership',
  }),
  administrator: Type.Boolean({ description: 'whether the caller is the built-in administrator' }),
  customer: Type.Union([Membership, Type.Null()], {
    description: 'the customer of which the user is an accepted member',
  }),
  invitations: Type.Array(Membership, {
    description: 'memberships that wait for the user to accept; they have no effect until then',
  }),
  session: Type.Boolean({ description: 'true if the caller uses a session, false for a key pair' }),
})

const common = { path: '/auth/v2/user', tag: 'Sessions', access: 'authenticated', scope: 'account' } as const

type Ports = { caller: (user: Identity) => Promise<Caller>; users: Pick<Users, 'removeOwn'> }

export const callerRoutes = ({ caller, users }: Ports): Route[] => [
  route({
    ...common,
    method: 'get',
    id: 'getCaller',
    summary: 'Get the caller: account, roles, groups and customer.',
    responses: { 200: CallerRecord },
    handler: async ({ user }) => reply(200, await caller(user)),
  }),
  route({
    ...common,
    method: 'delete',
    id: 'deleteOwnAccount',
    summary:
      'Delete the caller’s own account. If the caller is the last owner of a customer, the customer is deleted too.',
    codes: ['forbidden', 'not_found', 'payment_failed'],
    audit: change('user.delete', 'users', 'caller'),
    responses: { 204: null },
    handler: async ({ user }) => {
      await users.removeOwn(user)
      return reply(204)
    },
  }),
]
