/** Absolute counts that a customer may reach, and what it has (specification 4.6). */

import { Type } from 'typebox'
import type { Quotas } from '../../../../connectors/postgres/accounts/plan/port.ts'
import { effectiveQuotas, entryOf, ofService } from '../../../../schemas/accounts/tiers/tiers.ts'
import type { Allowances } from '../../../http/limits/allowance.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import { quotaUsage } from '../../services/quota-usage.ts'
import { FeatureParams, noSuchFeature, noSuchService, ServiceParams } from './limits-routes.ts'

const Value = Type.Integer({ minimum: -1, description: 'as enforced; -1 unlimited, 0 disabled' })
const Features = Type.Record(Type.String(), Type.Object({ value: Value, description: Type.String() }))
const Owner = { customerId: Type.String({ format: 'uuid' }), tierName: Type.String() }

const Used = Type.Object({
  customerId: Type.String({ format: 'uuid' }),
  services: Type.Record(
    Type.String(),
    Type.Object({
      serviceName: Type.String(),
      features: Type.Array(
        Type.Object({
          featureKey: Type.String(),
          currentUsage: Type.Integer(),
          limit: Value,
          remaining: Type.Integer({ description: '-1 unlimited' }),
          description: Type.String(),
        }),
      ),
    }),
  ),
  totalFeatures: Type.Integer(),
  fetchedAt: Type.Integer({ description: 'Always 0, reserved.' }),
})

const CASES = { serviceName: 'casework-api', featureKey: 'max_cases', description: 'Cases of one user.', value: 100 }

const PATH = '/api/billing/v1/quotas'
const common = { method: 'get', tag: 'Billing', access: 'authenticated', scope: 'account' } as const

export const quotaRoutes = (quotas: Quotas, allowances: Allowances): Route[] => [
  route({
    ...common,
    path: PATH,
    id: 'getQuotas',
    summary: 'List the quotas of the caller’s customer.',
    codes: ['forbidden'],
    responses: { 200: Type.Object({ ...Owner, quotas: Type.Record(Type.String(), Features) }) },
    handler: async ({ user }) => {
      const { customerId, tierName, tier, quantity } = await allowances.membership(user)
      return reply(200, { customerId, tierName, quotas: effectiveQuotas(tier.quotas, quantity) })
    },
  }),
  route({
    ...common,
    path: `${PATH}/{serviceName}`,
    id: 'getQuotasOfService',
    summary: 'List the quotas of one service.',
    codes: ['forbidden', 'not_found'],
    examples: { words: CASES },
    params: ServiceParams,
    responses: { 200: Type.Object({ ...Owner, serviceName: Type.String(), quotas: Features }) },
    handler: async ({ user, params: { serviceName } }) => {
      const { customerId, tierName, tier, quantity } = await allowances.membership(user)
      const features = ofService(effectiveQuotas(tier.quotas, quantity), serviceName)
      if (features === undefined) throw noSuchService()
      return reply(200, { customerId, tierName, serviceName, quotas: features })
    },
  }),
  route({
    ...common,
    path: `${PATH}/{serviceName}/{featureKey}`,
    id: 'getQuota',
    summary: 'Get one quota.',
    codes: ['forbidden', 'not_found'],
    examples: { words: CASES },
    params: FeatureParams,
    responses: {
      200: Type.Object({
        ...Owner,
        serviceName: Type.String(),
        featureKey: Type.String(),
        value: Value,
        description: Type.String(),
      }),
    },
    handler: async ({ user, params: { serviceName, featureKey } }) => {
      const { customerId, tierName, tier, quantity } = await allowances.membership(user)
      const quotasOfTier = effectiveQuotas(tier.quotas, quantity)
      if (ofService(quotasOfTier, serviceName) === undefined) throw noSuchService()
      const entry = entryOf(quotasOfTier, serviceName, featureKey)
      if (entry === undefined) throw noSuchFeature()
      return reply(200, { customerId, tierName, serviceName, featureKey, ...entry })
    },
  }),
  route({
    ...common,
    path: `${PATH}/usage`,
    id: 'getQuotaUsage',
    summary:
      'Get the current quota usage of the caller’s customer. Quotas of each member show the usage of the caller.',
    codes: ['forbidden'],
    examples: { words: { ...CASES, currentUsage: 7, limit: 100, remaining: 93, fetchedAt: 0 } },
    responses: { 200: Used },
    handler: async ({ user }) => reply(200, await quotaUsage(quotas, await allowances.membership(user), user.userId)),
  }),
]
