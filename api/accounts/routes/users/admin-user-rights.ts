/** Single roles of a user, and whether its credentials count, for administrators. */

import { Type } from 'typebox'
import { ROLES } from '../../../../schemas/accounts/accounts.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { CLOSED, idParam, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { UserRights } from '../../services/users/user-rights.ts'

const Role = Type.Enum([...ROLES])
const RoleBody = Type.Object(
  { role: Role, userID: Type.Optional(Type.String({ description: 'Must equal the user in the path, if given.' })) },
  CLOSED,
)

const USER = '/auth/v2/admin/user/{id}'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

export function adminUserRightRoutes(rights: UserRights): Route[] {
  const counting = (word: 'enable' | 'disable', summary: string) =>
    route({
      ...common,
      method: 'put',
      path: `${USER}/${word}`,
      id: `${word}User`,
      summary,
      codes: ['not_found'],
      audit: change(`user.${word}`, 'users', { param: 'id' }),
      params: idParam,
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await rights.disable(user, params.id, word === 'disable')
        return reply(204)
      },
    })

  return [
    counting('disable', 'Disable a user: all credentials of the user are refused.'),
    counting('enable', 'Enable a disabled user: the credentials of the user are accepted again.'),
    route({
      ...common,
      method: 'get',
      path: `${USER}/roles`,
      id: 'listRoles',
      summary: 'List the roles of a user.',
      codes: ['not_found'],
      params: idParam,
      responses: { 200: Type.Object({ userID: uuid, roles: Type.Array(Role) }) },
      handler: async ({ params }) => reply(200, { userID: params.id, roles: await rights.roles(params.id) }),
    }),
    route({
      ...common,
      method: 'post',
      path: `${USER}/roles`,
      id: 'grantRole',
      summary: 'Grant a role to a user. No change if the user has the role.',
      codes: ['not_found'],
      examples: { body: { role: 'reporter' } },
      audit: change('role.give', 'users', { param: 'id' }),
      params: idParam,
      body: RoleBody,
      responses: { 200: Type.Object({ userID: uuid, role: Role }) },
      handler: async ({ user, params, body: { role, userID } }) => {
        await rights.give(user, params.id, role, userID ?? '')
        return reply(200, { userID: params.id, role })
      },
    }),
    route({
      ...common,
      method: 'delete',
      path: `${USER}/roles/{role}`,
      id: 'withdrawRole',
      summary: 'Revoke a role from a user. 404 if the user does not have the role.',
      codes: ['not_found'],
      examples: { words: { role: 'reporter' } },
      audit: change('role.take', 'users', { param: 'id' }),
      params: Type.Object({ ...idParam.properties, role: Role }),
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await rights.take(user, params.id, params.role)
        return reply(204)
      },
    }),
  ]
}
