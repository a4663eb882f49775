/** Figures and single entities, as the JavaScript client asks for them; behind the calls of `ingest.ts`. */

import { at, type Call } from './call.ts'

const BASE = '/api/analytics/v1'

const buckets = (answer: unknown, ...names: string[]): boolean =>
  names.every((name) => {
    const first = at(answer, name, 0)
    return Array.isArray(at(answer, name)) && (first === undefined || typeof at(first, 'count') === 'number')
  })

/** Every method of `AnalyticsClient` but those of the live feed. */
export const analyticsCalls: readonly Call[] = [
  {
    method: 'analytics.getEntityDetails',
    args: ({ entityId }) => [entityId],
    verb: 'GET',
    path: ({ entityId }) => `${BASE}/entity/${entityId}/details`,
    status: 200,
    eventually: true,
    holds: (answer, { entityId, relatedId }) =>
      at(answer, 'attributes', 'id') === entityId &&
      at(answer, 'attributes', 'value') === '203.0.113.7' &&
      at(answer, 'attributes', 'reputation_score') === -3 &&
      at(answer, 'attributes', 'reputation') === 'Alarming' &&
      ['accuracy', 'worst_reputation', 'best_reputation'].every(
        (name) =>
          typeof at(answer, 'attributes', name) === 'string' &&
          typeof at(answer, 'attributes', `${name}_score`) === 'number',
      ) &&
      at(answer, 'metadata', 'country') === 'Germany' &&
      at(answer, 'extended_metadata', 'country', 'value') === 'Germany' &&
      at(answer, 'geolocations', 0, 'latitude') === 52.5 &&
      at(answer, 'geolocations', 0, 'object') === '203.0.113.7' &&
      at(answer, 'latest_associations', 0, 'id') === relatedId &&
      at(answer, 'latest_associations', 0, 'value') === 'other.example.com' &&
      at(answer, 'latest_associations', 0, 'reputation_score') === 0,
  },
  {
    method: 'analytics.getEntityRelations',
    args: ({ entityId }) => [entityId],
    verb: 'GET',
    path: ({ entityId }) => `${BASE}/entity/${entityId}/relations?depth=2`,
    status: 200,
    holds: (answer, { entityId }) =>
      at(answer, 'depth') === 2 &&
      at(answer, 'nodes', 'length') === 3 &&
      at(answer, 'nodes', 0, 'id') === entityId &&
      at(answer, 'nodes', 0, 'reputation') === -3 &&
      at(answer, 'relations', 'length') === 2 &&
      at(answer, 'relations', 0, 'source') === entityId &&
      at(answer, 'relations', 0, 'type') === 'association',
  },
  {
    method: 'analytics.getOverview',
    args: [],
    verb: 'GET',
    path: `${BASE}/overview?days=30`,
    status: 200,
    holds: (answer) =>
      ['total_entities', 'malicious_count', 'malicious_share', 'tracked_types'].every(
        (name) => typeof at(answer, name) === 'number',
      ) &&
      buckets(answer, 'by_type', 'by_reputation', 'by_accuracy', 'top_tags', 'timeline') &&
      at(answer, 'window', 'days') === 30,
  },
  {
    method: 'analytics.getRecent',
    args: [{ hours: 12, limit: 5 }],
    verb: 'GET',
    path: `${BASE}/recent?hours=12&limit=5&malicious_only=true`,
    status: 200,
    holds: (answer, { entityId }) =>
      at(answer, 'items', 0, 'id') === entityId &&
      at(answer, 'items', 0, 'reputation_label') === 'Alarming' &&
      typeof at(answer, 'items', 0, 'first_seen') === 'string' &&
      at(answer, 'window', 'hours') === 12 &&
      typeof at(answer, 'window', 'since') === 'string',
  },
  {
    method: 'analytics.getAttribution',
    args: [{ size: 5, maliciousOnly: false }],
    verb: 'GET',
    path: `${BASE}/attribution?size=5&malicious_only=false`,
    status: 200,
    holds: (answer) =>
      at(answer, 'by_country', 0, 'key') === 'Germany' &&
      buckets(answer, 'by_country', 'by_asn', 'by_aso') &&
      at(answer, 'malicious_only') === false,
  },
]
