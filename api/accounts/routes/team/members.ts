/** The members of the caller's customer (specification 4.4). */

import { Type } from 'typebox'
import { MEMBER_ROLES, memberRole } from '../../../../schemas/accounts/team.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { invalid } from '../../../http/errors.ts'
import { ACKNOWLEDGED, Acknowledged, CLOSED, email, pagesOf, paging, uuid } from '../../../http/fields/common.ts'
import { OTHER_UUID, UUID } from '../../../http/fields/examples.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { InvitationService } from '../../services/team/invitations-service.ts'
import type { SeenMember, TeamService } from '../../services/team/team-service.ts'

export const RoleName = Type.Enum([...MEMBER_ROLES])

/** Every role is understood here: whether it may be granted depends on the caller. */
export const RoleGiven = Type.Enum([...MEMBER_ROLES, 0, 1, 2], {
  description: 'role name, or legacy number: 0 owner, 1 admin, 2 user',
})

const MemberBody = Type.Object({ userID: uuid, role: RoleGiven }, CLOSED)

/** Who is added by its id is a member at once; who is invited by mail, when it takes the invitation. */
const AddBody = Type.Object(
  {
    userID: Type.Optional(uuid),
    email: Type.Optional({ ...email, description: 'Instead of userID: invites the person with this address.' }),
    role: Type.Optional({
      ...RoleGiven,
      description:
        'role name, or legacy number: 0 owner, 1 admin, 2 user; required with userID, otherwise default: user',
    }),
  },
  CLOSED,
)
const TransferBody = Type.Object(
  {
    newOwnerUserID: Type.Optional(uuid),
    email: Type.Optional({ ...email, description: 'Instead of newOwnerUserID: a verified address of a member.' }),
  },
  CLOSED,
)
const MemberPath = Type.Object({ userID: uuid })

const seen = (what: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${what}; null until the member has accepted` })

const MembersRecord = Type.Object({
  members: Type.Array(
    Type.Object({
      roleID: uuid,
      userID: uuid,
      role: RoleName,
      accepted: Type.Boolean({ description: 'false: an invitation, from which nothing follows' }),
      joinedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'null: not yet accepted',
      }),
      fullName: seen('full name'),
      alias: seen('short name'),
      email: Type.Union([Type.String(), Type.Null()], {
        description: 'preferred address, once it is verified; null until the member has accepted',
      }),
    }),
  ),
  items: Type.Integer({ description: 'total number of members' }),
  pages: Type.Integer(),
})

/** Throws 400 unless exactly one of the two is given. */
function oneOf(param: string, id: string | undefined, address: string | undefined): void {
  if (id === undefined && address === undefined) throw invalid(param, 'is required')
  if (id !== undefined && address !== undefined)
    throw invalid('email', `cannot be combined with ${param}; send only one of the two`)
}

const shown = ({ id, userId, joinedAt, ...member }: SeenMember) => ({
  roleID: id,
  userID: userId,
  ...member,
  accepted: joinedAt !== null,
  joinedAt: joinedAt === null ? null : new Date(joinedAt).toISOString(),
})

export const CUSTOMER_PATH = '/api/billing/v1/customer'
const PATH = CUSTOMER_PATH
const common = { tag: 'Members', access: 'authenticated', scope: 'account' } as const

export const memberRoutes = (team: TeamService, invitations: InvitationService): Route[] => [
  route({
    ...common,
    method: 'post',
    path: `${PATH}/member`,
    id: 'addMember',
    summary:
      'Add a member as admin or user, or invite one by mail. The answer is the same whether or not the address has an account.',
    codes: ['not_found', 'precondition_failed', 'conflict', 'quota_exceeded'],
    examples: { body: { userID: UUID, role: 'user' } },
    audit: change('member.add', ['memberships', 'insert invitations'], { body: 'userID' }),
    permit: team.permit(['owner', 'admin'], 'forbidden'),
    body: AddBody,
    responses: { 201: Acknowledged },
    handler: async ({ user, body: { userID, email: address, role } }) => {
      oneOf('userID', userID, address)
      if (address !== undefined) await invitations.invite(user, address, memberRole(role ?? 'user'))
      else if (role === undefined) throw invalid('role', 'is required')
      else await team.change(user, userID!.toLowerCase(), { kind: 'add', role: memberRole(role) })
      return reply(201, ACKNOWLEDGED)
    },
  }),
  route({
    ...common,
    method: 'put',
    path: `${PATH}/member`,
    id: 'updateMember',
    summary: 'Change the role of a member to admin or user.',
    codes: ['not_found', 'last_owner'],
    examples: { words: { role: 'user' } },
    audit: change('member.change', 'memberships', { body: 'userID' }),
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
    id: 'removeMember',
    summary: 'Remove a member.',
    codes: ['not_found', 'last_owner'],
    audit: change('member.remove', 'memberships', { param: 'userID' }),
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
    id: 'listMembers',
    summary: 'List the members, in the order in which they joined.',
    codes: ['not_found'],
    permit: team.permit(['owner', 'admin'], 'not_found'),
    query: paging,
    responses: { 200: MembersRecord },
    handler: async ({ user, query }) => {
      const { members, items } = await team.members(user, query)
      return reply(200, { members: members.map(shown), items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/directory`,
    id: 'listDirectory',
    summary: 'List the members, for every member of the customer.',
    codes: ['not_found'],
    permit: team.permit(MEMBER_ROLES, 'not_found'),
    query: paging,
    responses: { 200: MembersRecord },
    handler: async ({ user, query }) => {
      const { members, items } = await team.members(user, query)
      return reply(200, { members: members.map(shown), items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/transfer-ownership`,
    id: 'transferOwnership',
    summary: 'Transfer the ownership to another member; the caller becomes admin.',
    codes: ['not_found'],
    examples: { body: { newOwnerUserID: OTHER_UUID } },
    audit: change('member.transfer', 'memberships', { body: 'newOwnerUserID' }),
    permit: team.permit(['owner'], 'not_found'),
    body: TransferBody,
    responses: { 200: Acknowledged },
    handler: async ({ user, body: { newOwnerUserID, email: address } }) => {
      oneOf('newOwnerUserID', newOwnerUserID, address)
      if (address !== undefined) await team.transferTo(user, address)
      else await team.change(user, newOwnerUserID!.toLowerCase(), { kind: 'transfer' })
      return reply(200, ACKNOWLEDGED)
    },
  }),
]
