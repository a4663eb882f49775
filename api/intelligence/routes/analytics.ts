import { Type } from 'typebox'
import { failure } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { Analytics } from '../services/analytics/analytics.ts'
import type { RecentFeed } from '../services/analytics/recent.ts'
import type { Readers } from '../services/readers.ts'

const Bucket = Type.Object({ key: Type.String(), count: Type.Integer() })
const Buckets = Type.Array(Bucket)
const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' })

const Overview = Type.Object({
  total_entities: Type.Integer(),
  malicious_count: Type.Integer({ description: 'entities with a negative reputation' }),
  malicious_share: Type.Number({ description: 'malicious_count / total_entities; 0 if there are no entities' }),
  tracked_types: Type.Integer(),
  by_type: Buckets,
  by_reputation: Buckets,
  by_accuracy: Buckets,
  top_tags: Buckets,
  timeline: Type.Array(Type.Object({ timestamp: Timestamp, count: Type.Integer() })),
  window: Type.Object({ days: Type.Integer(), interval: Type.Literal('day') }),
})

const Recent = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      value: Type.String(),
      reputation: Type.Integer(),
      reputation_label: Type.String(),
      accuracy: Type.Integer(),
      accuracy_label: Type.String(),
      tags: Type.Array(Type.String()),
      first_seen: Timestamp,
      last_seen: Timestamp,
    }),
  ),
  window: Type.Object({ hours: Type.Integer(), since: Timestamp }),
})

const Attribution = Type.Object({
  by_country: Buckets,
  by_asn: Buckets,
  by_aso: Buckets,
  malicious_only: Type.Boolean(),
})

export type AnalyticsPorts = { readers: Readers; analytics: Analytics; recent: RecentFeed; now: () => number }

/** The three aggregate views (specification 4.1): distinct entities, only those the caller may read. */
export const analyticsRoutes = ({ readers, analytics, recent, now }: AnalyticsPorts): Route[] => [
  route({
    method: 'get',
    path: '/api/analytics/v1/overview',
    id: 'getOverview',
    summary: 'Totals, breakdowns, top tags and a daily timeline of the entities that the caller may read.',
    codes: ['aggregation_failed'],
    tag: 'Analytics',
    access: 'anyone',
    scope: 'read',
    query: Type.Object({
      days: Type.Integer({ default: 30, minimum: 1, maximum: 365, description: 'number of days in the timeline' }),
    }),
    responses: { 200: Overview },
    limit: { service: 'analytics-api', features: ['overview_per_minute'] },
    handler: async ({ groups, query }) =>
      reply(200, await runAggregation(async () => analytics.overview(await readers.of(groups), query.days, now()))),
  }),
  route({
    method: 'get',
    path: '/api/analytics/v1/recent',
    id: 'listRecent',
    summary: 'List entities by last sighting, newest first.',
    codes: ['aggregation_failed'],
    tag: 'Analytics',
    access: 'anyone',
    scope: 'read',
    query: Type.Object({
      hours: Type.Integer({ default: 24, minimum: 1, maximum: 720 }),
      limit: Type.Integer({
        default: 50,
        minimum: 1,
        maximum: 100,
        description: 'maximum number of entities returned',
      }),
      malicious_only: Type.Boolean({
        default: true,
        description: 'whether only entities with a negative reputation are returned; false returns all activity',
      }),
    }),
    responses: { 200: Recent },
    limit: { service: 'analytics-api', features: ['recent_per_minute'] },
    handler: async ({ groups, query: { hours, limit, malicious_only: maliciousOnly } }) =>
      reply(
        200,
        await runAggregation(async () => recent(await readers.of(groups), { hours, limit, maliciousOnly }, now())),
      ),
  }),
  route({
    method: 'get',
    path: '/api/analytics/v1/attribution',
    id: 'getAttribution',
    summary: 'Entities by country, autonomous system and AS organisation.',
    codes: ['aggregation_failed'],
    tag: 'Analytics',
    access: 'anyone',
    scope: 'read',
    query: Type.Object({
      size: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 100,
        description: 'maximum number of buckets per dimension',
      }),
      malicious_only: Type.Boolean({ default: true }),
    }),
    responses: { 200: Attribution },
    limit: { service: 'analytics-api', features: ['attribution_per_minute'] },
    handler: async ({ groups, query }) =>
      reply(
        200,
        await runAggregation(async () =>
          analytics.attribution(await readers.of(groups), query.size, query.malicious_only),
        ),
      ),
  }),
]

/** A failing store is a 500 of its own kind here (specification 7.2). */
async function runAggregation<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw failure('aggregation_failed', cause)
  }
}
