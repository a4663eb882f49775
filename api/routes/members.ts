/** The members of the caller's customer (specification 4.4). */

import { Type } from 'typebox'
import { MEMBER_ROLES, memberRole } from '../../schemas/team.ts'
import { ACKNOWLEDGED, Acknowledged, CLOSED, pagesOf, paging, uuid } from '../fields.ts'
import { type Route, reply, route } from '../route.ts'
import type { TeamService } from '../services/team.ts'

const RoleName = Type.Enum([...MEMBER_ROLES])

/** Every role is understood here: whether it may be granted depends on the caller. */
const RoleGiven = Type.Enum([...MEMBER_ROLES, 0, 1, 2], {
  description: 'a role, or its legacy number: 0 owner, 1 admin, 2 user',
})

export const MemberBody = Type.Object({ userID: uuid, role: RoleGiven }, CLOSED)
const TransferBody = Type.Object({ newOwnerUserID: uuid }, CLOSED)
const MemberPath = Type.Object({ userID: uuid })

const MembersRecord = Type.Object({
  members: Type.Array(Type.Object({ roleID: uuid, userID: uuid, role: RoleName })),
  items: Type.Integer({ description: 'all members' }),
  pages: Type.Integer(),
})

const PATH = '/api/billing/v1/customer'
const common = { tag: 'Members', access: 'authenticated' } as const

export const memberRoutes = (team: TeamService): Route[] => [
  route({
    ...common,
    method: 'post',
    path: `${PATH}/member`,
    summary: 'Add a member as admin or user.',
    permit: team.permit(['owner', 'admin'], 'forbidden'),
    body: MemberBody,
    responses: { 201: Acknowledged },
    handler: async ({ user, body }) => {
      await team.change(user, body.userID.toLowerCase(), { kind: 'add', role: memberRole(body.role) })
      return reply(201, ACKNOWLEDGED)
    },
  }),
  route({
    ...common,
    method: 'put',
    path: `${PATH}/member`,
    summary: 'Change the role of a member to admin or user.',
    permit: team.permit(['owner', 'admin'], 'not_found'),
    body: MemberBody,
    responses: { 204: null },
    handler: async ({ user, body }) => {
      await team.change(user, body.userID.toLowerCase(), { kind: 'set', role: memberRole(body.role) })
      return reply(204)
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: `${PATH}/member/{userID}`,
    summary: 'Remove a member.',
    permit: team.permit(['owner', 'admin'], 'forbidden'),
    params: MemberPath,
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await team.change(user, params.userID.toLowerCase(), { kind: 'remove' })
      return reply(204)
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/members`,
    summary: 'The members, in the order in which they joined.',
    permit: team.permit(['owner', 'admin'], 'not_found'),
    query: paging,
    responses: { 200: MembersRecord },
    handler: async ({ user, query }) => {
      const { members, items } = await team.members(user, query)
      const shown = members.map(({ id, userId, role }) => ({ roleID: id, userID: userId, role }))
      return reply(200, { members: shown, items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/transfer-ownership`,
    summary: 'Make another member the owner; the caller becomes admin.',
    permit: team.permit(['owner'], 'not_found'),
    body: TransferBody,
    responses: { 200: Acknowledged },
    handler: async ({ user, body }) => {
      await team.change(user, body.newOwnerUserID.toLowerCase(), { kind: 'transfer' })
      return reply(200, ACKNOWLEDGED)
    },
  }),
]
