/** Invitations that wait, for owners and admins (decisions 16.5). */

import { Type } from 'typebox'
import { change } from '../../../../schemas/audit/action.ts'
import { idParam, pagesOf, paging, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { InvitationService } from '../../services/team/invitations-service.ts'
import type { TeamService } from '../../services/team/team-service.ts'
import { CUSTOMER_PATH, RoleName } from './members.ts'

const InvitationsRecord = Type.Object({
  invitations: Type.Array(
    Type.Object({
      invitationID: uuid,
      email: Type.String(),
      role: RoleName,
      invitedBy: Type.String({ format: 'uuid', description: 'user id of the member who sent it last' }),
      createdAt: Type.String({ format: 'date-time' }),
      expireAt: Type.String({ format: 'date-time' }),
    }),
  ),
  items: Type.Integer({ description: 'total number of waiting invitations' }),
  pages: Type.Integer(),
})

const common = { tag: 'Members', access: 'authenticated', scope: 'account' } as const

export const invitationRoutes = (team: TeamService, invitations: InvitationService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${CUSTOMER_PATH}/invitations`,
    id: 'listInvitations',
    summary: 'List the invitations that are not accepted yet, newest first; one for each address.',
    codes: ['not_found'],
    permit: team.permit(['owner', 'admin'], 'not_found'),
    query: paging,
    responses: { 200: InvitationsRecord },
    handler: async ({ user, query }) => {
      const { invitations: waiting, items } = await invitations.list(user, query)
      const shown = waiting.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
        invitationID: id,
        email,
        role,
        invitedBy,
        createdAt: new Date(createdAt).toISOString(),
        expireAt: new Date(expiresAt).toISOString(),
      }))
      return reply(200, { invitations: shown, items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: `${CUSTOMER_PATH}/invitation/{id}`,
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation and every earlier one to the same address. Their links no longer work.',
    codes: ['not_found'],
    audit: change('invitation.withdraw', 'invitations', { param: 'id' }),
    permit: team.permit(['owner', 'admin'], 'forbidden'),
    params: idParam,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await invitations.withdraw(user, params.id)
      return reply(204)
    },
  }),
]
