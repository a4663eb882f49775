/** Tiers that customers can have, for `billing_admin`. */

import { Type } from 'typebox'
import { change } from '../../../../schemas/audit/action.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { TierAdministration } from '../../services/tier-administration.ts'

const TierRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  isActive: Type.Boolean({ description: 'whether customers can subscribe to this tier' }),
  isDefault: Type.Boolean({ description: 'whether new customers start on this tier' }),
})

const PATH = '/api/billing/v1/admin/tiers'
const common = { tag: 'Administration', access: 'billing_admin', scope: 'admin' } as const

export const adminTierRoutes = (tiers: TierAdministration): Route[] => [
  route({
    ...common,
    method: 'get',
    path: PATH,
    id: 'listTiers',
    summary:
      'List the tiers. `Public` applies to callers without a customer. The limits and quotas routes show the values of each tier.',
    query: Type.Object({ active: Type.Optional(Type.Boolean()) }),
    responses: { 200: Type.Object({ tiers: Type.Array(TierRecord) }) },
    handler: async ({ query }) => reply(200, { tiers: await tiers.list(query.active) }),
  }),
  route({
    ...common,
    method: 'put',
    path: `${PATH}/{id}/default`,
    id: 'setDefaultTier',
    summary: 'Make this the tier of new customers. Existing customers keep their tier.',
    codes: ['not_found'],
    examples: { words: { id: 'pro' } },
    audit: change('tier.default', 'settings', null),
    params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
    responses: { 204: null },
    handler: async ({ params }) => {
      await tiers.setDefault(params.id)
      return reply(204)
    },
  }),
]
