/** Every customer, for `billing_admin` (decisions 6.6). */

import { Type } from 'typebox'
import type { Customer } from '../../../../connectors/postgres/accounts/team/port.ts'
import { MEMBER_ROLES, memberRole } from '../../../../schemas/accounts/team.ts'
import { CUSTOMER_TIERS } from '../../../../schemas/accounts/tiers/for-sale.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { ACKNOWLEDGED, Acknowledged, CLOSED, pagesOf, paging, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { CustomerAdministration } from '../../services/team/customer-administration.ts'
import { addressLine, CustomerRecord, shownCustomer, subscriptionStatusOf } from './customers.ts'
import { RoleGiven } from './members.ts'

const CustomerPath = Type.Object({ id: uuid })
const MemberBody = Type.Object({ userID: uuid, role: RoleGiven }, CLOSED)

/** As its members see it, with the address in one line and the state of its subscription. */
const KnownCustomer = Type.Object({
  ...CustomerRecord.properties,
  billingAddress: Type.String({ description: 'on one line' }),
  subscriptionStatus: Type.String(),
})

const showCustomer = (customer: Customer) => ({
  ...shownCustomer(customer),
  billingAddress: addressLine(customer.billingAddress),
  subscriptionStatus: subscriptionStatusOf(customer),
})

const CustomersRecord = Type.Object({
  customers: Type.Array(KnownCustomer),
  items: Type.Integer({ description: 'total number of matching customers' }),
  pages: Type.Integer(),
})

const MembersRecord = Type.Object({
  members: Type.Array(
    Type.Object({
      roleID: uuid,
      userID: uuid,
      role: Type.Enum([...MEMBER_ROLES]),
      email: Type.String(),
      accepted: Type.Boolean({ description: 'false: an invitation, from which nothing follows' }),
      joinedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'null: not yet accepted',
      }),
    }),
  ),
  items: Type.Integer({ description: 'total number of members' }),
  pages: Type.Integer(),
})

const PATH = '/api/billing/v1/admin/customer'
const common = { tag: 'Administration', access: 'billing_admin', scope: 'admin' } as const

export const adminCustomerRoutes = (customers: CustomerAdministration): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${PATH}s`,
    id: 'listCustomers',
    summary: 'List customers, oldest first.',
    query: Type.Object({
      ...paging.properties,
      tierName: Type.Optional(Type.Enum([...CUSTOMER_TIERS])),
      status: Type.Optional(Type.Enum(['active', 'cancelled'])),
    }),
    responses: { 200: CustomersRecord },
    handler: async ({ query: { tierName: tier, ...query } }) => {
      const { customers: found, items } = await customers.list({ ...query, tier })
      return reply(200, { customers: found.map(showCustomer), items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}`,
    id: 'getAnyCustomer',
    summary: 'Get a customer.',
    codes: ['not_found'],
    params: CustomerPath,
    responses: { 200: KnownCustomer },
    handler: async ({ params }) => reply(200, showCustomer(await customers.get(params.id))),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}/members`,
    id: 'listAnyMembers',
    summary: 'List the members of a customer, in the order in which they were added.',
    codes: ['not_found'],
    params: CustomerPath,
    query: paging,
    responses: { 200: MembersRecord },
    handler: async ({ params, query }) => {
      const { members, items } = await customers.members(params.id, query)
      const listed = members.map(({ id, userId, role, email, joinedAt }) => ({
        roleID: id,
        userID: userId,
        role,
        email: email ?? '',
        accepted: joinedAt !== null,
        joinedAt: joinedAt === null ? null : new Date(joinedAt).toISOString(),
      }))
      return reply(200, { members: listed, items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/{id}/member`,
    id: 'appointMember',
    summary: 'Add a member with any role, including owner. The new member is notified by mail.',
    codes: ['not_found', 'precondition_failed', 'conflict', 'quota_exceeded', 'last_owner'],
    audit: change('member.add', 'memberships', { body: 'userID' }),
    params: CustomerPath,
    body: MemberBody,
    responses: { 201: Acknowledged },
    handler: async ({ params, body }) => {
      await customers.appoint(params.id, body.userID, memberRole(body.role))
      return reply(201, ACKNOWLEDGED)
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: `${PATH}/{id}/member/{userID}`,
    id: 'dismissMember',
    summary: 'Remove any member except the last owner.',
    codes: ['not_found', 'last_owner'],
    audit: change('member.remove', 'memberships', { param: 'userID' }),
    params: Type.Object({ id: uuid, userID: uuid }),
    responses: { 204: null },
    handler: async ({ params }) => {
      await customers.dismiss(params.id, params.userID.toLowerCase())
      return reply(204)
    },
  }),
]
