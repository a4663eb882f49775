/** Deletion of customers, and the repair of records that a deletion left behind (specification 4.7, decisions 8.1). */

import { Type } from 'typebox'
import { RECONCILED, type ReconciliationReport } from '../../../../schemas/accounts/reconciliation.ts'
import { CLOSED, uuid } from '../../../http/fields.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { CustomerOffboarding } from '../../services/team/customer-offboarding.ts'

const BILLING = '/api/billing/v1'

const Count = Type.Object({ found: Type.Integer(), repaired: Type.Integer() })
const Report = Type.Object(
  Object.fromEntries(RECONCILED.map((kind) => [kind, Count])) as Record<(typeof RECONCILED)[number], typeof Count>,
)
const ReconcileBody = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ description: 'Look, and change nothing. False when not given.' })) },
  CLOSED,
)

type Ports = { offboarding: CustomerOffboarding; reconcile: (dryRun: boolean) => Promise<ReconciliationReport> }

export const offboardingRoutes = ({ offboarding, reconcile }: Ports): Route[] => [
  route({
    method: 'delete',
    path: `${BILLING}/customer`,
    summary: 'Delete the own customer, with its subscription, members and everything they made in it. Owners only.',
    tag: 'Customers',
    access: 'authenticated',
    responses: { 204: null },
    handler: async ({ user }) => {
      await offboarding.own(user)
      return reply(204)
    },
  }),
  route({
    method: 'delete',
    path: `${BILLING}/admin/customer/{id}`,
    summary: 'Delete a customer by force, as its owner would.',
    tag: 'Administration',
    access: 'billing_admin',
    params: Type.Object({ id: uuid }),
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await offboarding.force(user, params.id)
      return reply(204)
    },
  }),
  route({
    method: 'post',
    path: `${BILLING}/admin/reconcile`,
    summary: 'Find and repair what missed events have left behind, as happens every hour.',
    tag: 'Administration',
    access: 'auth_admin',
    body: ReconcileBody,
    responses: { 200: Report },
    handler: async ({ body }) => reply(200, await reconcile(body.dryRun ?? false)),
  }),
]
