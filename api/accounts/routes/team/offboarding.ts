/** Deletion of customers, and the repair of records that a deletion left behind (specification 4.7, decisions 8.1). */

import { Type } from 'typebox'
import { RECONCILED, type ReconciliationReport } from '../../../../schemas/accounts/reconciliation.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { CLOSED, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { OffboardingService } from '../../services/team/customer-offboarding.ts'

const BILLING = '/api/billing/v1'

const Count = Type.Object({ found: Type.Integer(), repaired: Type.Integer() })
const Report = Type.Object(
  Object.fromEntries(RECONCILED.map((kind) => [kind, Count])) as Record<(typeof RECONCILED)[number], typeof Count>,
)
const ReconcileBody = Type.Object(
  {
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Report what would be repaired and change nothing. Default: false.' }),
    ),
  },
  CLOSED,
)

type Ports = { offboarding: OffboardingService; reconcile: (dryRun: boolean) => Promise<ReconciliationReport> }

export const offboardingRoutes = ({ offboarding, reconcile }: Ports): Route[] => [
  route({
    method: 'delete',
    path: `${BILLING}/customer`,
    id: 'deleteCustomer',
    summary: 'Delete the caller’s own customer with its subscription, memberships and resources. Owners only.',
    codes: ['forbidden', 'not_found', 'payment_failed'],
    audit: change('customer.delete', 'customers', 'customer'),
    tag: 'Customers',
    access: 'authenticated',
    scope: 'account',
    responses: { 204: null },
    handler: async ({ user }) => {
      await offboarding.own(user)
      return reply(204)
    },
  }),
  route({
    method: 'delete',
    path: `${BILLING}/admin/customer/{id}`,
    id: 'deleteAnyCustomer',
    summary: 'Delete any customer with its subscription, memberships and resources.',
    codes: ['not_found', 'payment_failed'],
    audit: change('customer.delete', 'customers', { param: 'id' }),
    tag: 'Administration',
    access: 'billing_admin',
    scope: 'admin',
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
    id: 'reconcile',
    summary:
      'Run the reconciliation now: find and repair orphaned resources and wrong counters that missed events left. It also runs every hour.',
    examples: { body: { dryRun: true } },
    audit: change(
      'accounts.reconcile',
      ['customers', 'memberships', 'instances', 'casework_records', 'quota_usage', 'handled_events'],
      null,
    ),
    tag: 'Administration',
    access: 'auth_admin',
    scope: 'admin',
    body: ReconcileBody,
    responses: { 200: Report },
    handler: async ({ body }) => reply(200, await reconcile(body.dryRun ?? false)),
  }),
]
