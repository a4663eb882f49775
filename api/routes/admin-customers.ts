/** Every customer, for `billing_admin` (decisions 6.6). */

import { Type } from 'typebox'
import { memberRole } from '../../schemas/team.ts'
import { ACKNOWLEDGED, Acknowledged, pagesOf, paging, uuid } from '../fields.ts'
import { type Route, reply, route } from '../route.ts'
import type { CustomerAdministration } from '../services/team.ts'
import { CustomerRecord, shownCustomer } from './customers.ts'
import { MemberBody } from './members.ts'

const CustomerPath = Type.Object({ id: uuid })

const CustomersRecord = Type.Object({
  customers: Type.Array(CustomerRecord),
  items: Type.Integer({ description: 'all customers' }),
  pages: Type.Integer(),
})

const PATH = '/api/billing/v1/admin/customer'
const common = { tag: 'Administration', access: 'billing_admin' } as const

export const adminCustomerRoutes = (customers: CustomerAdministration): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${PATH}s`,
    summary: 'List customers, oldest first.',
    query: paging,
    responses: { 200: CustomersRecord },
    handler: async ({ query }) => {
      const { customers: found, items } = await customers.list(query)
      return reply(200, { customers: found.map(shownCustomer), items, pages: pagesOf(items, query.limit) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}`,
    summary: 'Show a customer.',
    params: CustomerPath,
    responses: { 200: CustomerRecord },
    handler: async ({ params }) => reply(200, shownCustomer(await customers.get(params.id))),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/{id}/member`,
    summary: 'Add a member with any role, owner too.',
    params: CustomerPath,
    body: MemberBody,
    responses: { 201: Acknowledged },
    handler: async ({ params, body }) => {
      await customers.appoint(params.id, body.userID, memberRole(body.role))
      return reply(201, ACKNOWLEDGED)
    },
  }),
]
