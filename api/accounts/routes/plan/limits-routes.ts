/** What a caller's tier allows and what has been taken of it (specification 4.5, decisions 6.4). */

import { Type } from 'typebox'
import { NAME } from '../../../../schemas/accounts/tiers/overlay.ts'
import { entryOf, ofService } from '../../../../schemas/accounts/tiers/tiers.ts'
import { LIMIT_WINDOWS } from '../../../../schemas/accounts/tiers/windows.ts'
import { ApiError } from '../../../http/errors.ts'
import type { Allowances } from '../../../http/limits/allowance.ts'
import { type ConsumptionPorts, consumptionOf } from '../../../http/limits/consumption-view.ts'
import { type Route, reply, route } from '../../../http/route.ts'

const name = () => Type.String({ minLength: 1, maxLength: 128, pattern: NAME })
export const ServiceParams = Type.Object({ serviceName: name() })
export const FeatureParams = Type.Object({ serviceName: name(), featureKey: name() })

export const noSuchService = () => new ApiError('not_found', { message: 'no such service', param: 'serviceName' })
export const noSuchFeature = () => new ApiError('not_found', { message: 'no such feature', param: 'featureKey' })

const Value = Type.Integer({ minimum: -1, description: '-1 unlimited, 0 disabled' })
const Window = Type.Enum([...LIMIT_WINDOWS], {
  description: 'a calendar window in UTC, or open: how many may be open at the same time',
})
const Entry = Type.Object({ value: Value, window: Window, description: Type.String() })
const Features = Type.Record(Type.String(), Entry)
const Owner = { customerId: Type.String({ format: 'uuid' }), tierName: Type.String() }
const OfAddress = Type.Object({ serviceName: Type.String(), tierName: Type.String(), limits: Features })

const Consumed = Type.Object({
  identifier: Type.String(),
  identifierType: Type.Enum(['customer', 'user', 'ip']),
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
          window: Window,
          resetAt: Type.Integer({ description: 'Unix seconds. The next second if the window is open.' }),
          isLocked: Type.Boolean({ description: 'true if the next use will be refused' }),
          description: Type.String(),
        }),
      ),
    }),
  ),
  totalFeatures: Type.Integer(),
  fetchedAt: Type.Integer({ description: 'Unix seconds.' }),
})

const USAGE = { currentUsage: 2, limit: 60, remaining: 58 }

const PATH = '/api/billing/v1/limits'
const common = { method: 'get', tag: 'Billing' } as const

type Ports = ConsumptionPorts & { allowances: Allowances; now: () => number }

export const limitRoutes = ({ allowances, now, ...ports }: Ports): Route[] => [
  route({
    ...common,
    path: PATH,
    id: 'getLimits',
    summary: 'List the limits of the caller’s customer.',
    codes: ['forbidden'],
    access: 'authenticated',
    scope: 'account',
    responses: { 200: Type.Object({ ...Owner, limits: Type.Record(Type.String(), Features) }) },
    handler: async ({ user }) => {
      const { customerId, tierName, tier } = await allowances.membership(user)
      return reply(200, { customerId, tierName, limits: tier.limits })
    },
  }),
  route({
    ...common,
    path: `${PATH}/{serviceName}`,
    id: 'getLimitsOfService',
    summary: 'List the limits of one service.',
    codes: ['forbidden', 'not_found'],
    access: 'authenticated',
    scope: 'account',
    params: ServiceParams,
    responses: { 200: Type.Object({ ...Owner, serviceName: Type.String(), limits: Features }) },
    handler: async ({ user, params: { serviceName } }) => {
      const { customerId, tierName, tier } = await allowances.membership(user)
      const features = ofService(tier.limits, serviceName)
      if (features === undefined) throw noSuchService()
      return reply(200, { customerId, tierName, serviceName, limits: features })
    },
  }),
  route({
    ...common,
    path: `${PATH}/{serviceName}/{featureKey}`,
    id: 'getLimit',
    summary: 'Get one limit.',
    codes: ['forbidden', 'not_found'],
    access: 'authenticated',
    scope: 'account',
    params: FeatureParams,
    responses: {
      200: Type.Object({
        ...Owner,
        serviceName: Type.String(),
        featureKey: Type.String(),
        value: Value,
        window: Window,
        description: Type.String(),
      }),
    },
    handler: async ({ user, params: { serviceName, featureKey } }) => {
      const { customerId, tierName, tier } = await allowances.membership(user)
      if (ofService(tier.limits, serviceName) === undefined) throw noSuchService()
      const entry = entryOf(tier.limits, serviceName, featureKey)
      if (entry === undefined) throw noSuchFeature()
      return reply(200, { customerId, tierName, serviceName, featureKey, ...entry })
    },
  }),
  route({
    ...common,
    path: `${PATH}/ip`,
    id: 'getAddressLimits',
    summary: 'List the limits of anonymous callers, per client address.',
    access: 'open',
    scope: null,
    responses: { 200: Type.Object({ ipLimits: Type.Record(Type.String(), OfAddress) }) },
    handler: ({ ip }) => {
      const { tierName, tier } = allowances.ofAddress(ip)
      const services = Object.entries(tier.limits)
      const ipLimits = services.map(([serviceName, features]) => [
        serviceName,
        { serviceName, tierName, limits: features },
      ])
      return reply(200, { ipLimits: Object.fromEntries(ipLimits) })
    },
  }),
  route({
    ...common,
    path: `${PATH}/ip/{serviceName}`,
    id: 'getAddressLimitsOfService',
    summary: 'List the limits of anonymous callers for one service.',
    codes: ['not_found'],
    access: 'open',
    scope: null,
    params: ServiceParams,
    responses: { 200: OfAddress },
    handler: ({ ip, params: { serviceName } }) => {
      const { tierName, tier } = allowances.ofAddress(ip)
      const features = ofService(tier.limits, serviceName)
      if (features === undefined) throw noSuchService()
      return reply(200, { serviceName, tierName, limits: features })
    },
  }),
  route({
    ...common,
    path: `${PATH}/usage`,
    id: 'getLimitUsage',
    summary: 'Get the current limit usage of the caller’s customer, or of the caller without a customer.',
    examples: { words: USAGE },
    access: 'authenticated',
    scope: 'account',
    responses: { 200: Consumed },
    handler: async ({ user, ip }) => {
      const allowance = await allowances.of(user, ip)
      const shown = allowance.subject ?? { type: 'user', id: user.userId }
      return reply(200, await consumptionOf(ports, allowance, shown, now()))
    },
  }),
  route({
    ...common,
    path: `${PATH}/usage/ip`,
    id: 'getAddressLimitUsage',
    summary: 'Get the current limit usage of the client address under the limits of anonymous callers.',
    examples: { words: { ...USAGE, identifierType: 'ip', identifier: '192.0.2.1' } },
    access: 'open',
    scope: null,
    responses: { 200: Consumed },
    handler: async ({ ip }) => {
      const allowance = allowances.ofAddress(ip)
      return reply(200, await consumptionOf(ports, allowance, allowance.subject!, now()))
    },
  }),
]
