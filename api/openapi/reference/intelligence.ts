import { DOMAIN_ID, IP_ID, UUID } from '../words.ts'
import type { References } from './reference.ts'

const ingest = '/api/ingest/v1'
const search = '/api/search/v1'
const analytics = '/api/analytics/v1'

const SEARCHED = ['no_results', 'search_failed', 'query_too_expensive', 'busy'] as const

const verdicts = '/api/casework/v1/verdicts/{entityId}'
const verdict = { verdict: 'benign', reason: 'Our own scanner.', until: '2027-01-01T00:00:00Z' }

/** Operations that report and query entities. */
export const intelligenceReference: References = {
  [`post ${ingest}/entity`]: {
    id: 'reportEntity',
    codes: ['publish_failed'],
    body: {
      type: 'ip',
      attributes: { ip: '203.0.113.7', country: 'Germany', asn: 64500, aso: 'Example Net' },
      associations: [
        {
          mode: 'association',
          type: 'domain',
          attributes: { domain: 'login.example.com' },
          relationship: 'communicates-with',
        },
      ],
      reputation: -2,
      tags: ['brute-force', 'ssh'],
      visibleBy: ['public'],
    },
  },
  [`post ${ingest}/entities`]: {
    id: 'reportEntities',
    codes: ['in_progress', 'idempotency_mismatch'],
    body: `${JSON.stringify({ type: 'ip', attributes: { ip: '203.0.113.7' }, reputation: -2, tags: ['ssh'] })}\n${JSON.stringify({ type: 'domain', attributes: { domain: 'login.example.com' } })}\n`,
  },
  [`post ${ingest}/well-known`]: {
    id: 'markWellKnown',
    codes: ['publish_failed'],
    body: { type: 'cidr', attributes: { cidr: '198.51.100.0/24' }, covers: true },
  },
  [`post ${search}/entities/selector`]: {
    id: 'searchEntitiesBySelector',
    codes: ['forbidden', 'search_failed', 'query_too_expensive', 'busy', 'query_timeout'],
    body: { selector: { types: ['ip'], reputation: { lte: -1 } }, limit: 10, groups: ['public'] },
  },
  [`put ${verdicts}`]: { id: 'putVerdict', codes: ['not_found', 'publish_failed'], words: verdict },
  [`get ${verdicts}`]: { id: 'getVerdict', codes: ['not_found'], words: verdict },
  [`delete ${verdicts}`]: { id: 'deleteVerdict', codes: ['not_found', 'publish_failed'] },
  [`delete ${ingest}/well-known/{entityId}`]: { id: 'clearWellKnown', codes: ['not_found', 'publish_failed'] },
  [`post ${ingest}/association`]: {
    id: 'associateEntities',
    codes: ['not_found', 'publish_failed'],
    body: { entityID: IP_ID, relatedEntityID: DOMAIN_ID, mode: 'association', relationship: 'resolves-to' },
  },
  [`get ${ingest}/definitions`]: {
    id: 'listDefinitions',
    answers: {
      200: [
        {
          type: 'ip',
          description: 'An IPv4 or IPv6 address.',
          attributes: ['country', 'asn', 'aso'],
          label: 'IP address',
          dataType: 'ip',
        },
      ],
    },
  },
  [`post ${ingest}/comment`]: {
    id: 'addComment',
    codes: ['not_found'],
    body: { entityID: IP_ID, comment: 'Seen again tonight, from the same network.', visibleBy: ['public'] },
  },
  [`get ${search}/comments/{entityId}`]: { id: 'listComments', codes: ['not_found'] },

  [`post ${search}/entities/history/simple`]: {
    id: 'searchHistorySimple',
    codes: ['no_results', 'search_failed'],
    words: { 'results.id': UUID },
    body: { query: '203.0.113.7', reputation: -2, source: { excludes: ['attributes'] } },
  },
  [`post ${search}/entities/history/advanced`]: {
    id: 'searchHistoryAdvanced',
    words: { 'results.id': UUID },
    codes: SEARCHED,
    body: {
      query: { filter: [{ term: { type: 'ip' } }, { range: { reputation: { lt: 0 } } }] },
      aggs: { countries: { terms: { field: 'attributes.country', size: 10 } } },
    },
  },
  [`post ${search}/entities/simple`]: {
    id: 'searchEntitiesSimple',
    codes: SEARCHED,
    body: { query: '203.0.113.7' },
  },
  [`post ${search}/entities/advanced`]: {
    id: 'searchEntitiesAdvanced',
    words: { aggregations: { kinds: { buckets: [{ key: 'ip', doc_count: 1 }] } } },
    codes: SEARCHED,
    body: {
      query: { filter: [{ term: { type: 'ip' } }, { range: { reputation: { lt: 0 } } }] },
      aggs: { kinds: { terms: { field: 'type', size: 10 } } },
    },
  },
  [`post ${search}/around`]: {
    id: 'getAround',
    codes: SEARCHED.filter((code) => code !== 'no_results'),
    body: { value: '203.0.113.7' },
  },
  [`post ${search}/entity`]: {
    id: 'findEntity',
    codes: ['not_found'],
    body: { type: 'ip', value: '203.0.113.7' },
  },
  [`get ${search}/entity/{id}.stix`]: { id: 'getEntityAsStix', codes: ['not_found'] },
  [`get ${search}/entity/{id}`]: { id: 'getEntity', codes: ['not_found'] },
  [`post ${search}/entities/lookup`]: {
    id: 'lookUpEntities',
    body: { values: ['203.0.113.7', 'login[.]example[.]com', 'hxxps://example.com/a'] },
  },
  [`get ${search}/entity/{id}/evidence`]: { id: 'getEvidence', codes: ['not_found'] },
  [`get ${search}/entity/{id}/score-history`]: {
    id: 'getScoreHistory',
    codes: ['not_found'],
    words: { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z', points: 60 },
  },
  [`get ${search}/entity/{id}/relations`]: {
    id: 'listRelations',
    codes: ['not_found', 'search_failed'],
    words: { 'results.id': UUID, type: 'domain', value: 'login.example.com' },
  },

  [`get ${analytics}/overview`]: { id: 'getOverview', codes: ['aggregation_failed'] },
  [`get ${analytics}/recent`]: { id: 'listRecent', codes: ['aggregation_failed'] },
  [`get ${analytics}/attribution`]: { id: 'getAttribution', codes: ['aggregation_failed'] },
  [`get ${analytics}/sources`]: { id: 'listSources', words: { kind: 'feed' }, codes: ['aggregation_failed'] },
  [`get ${analytics}/entity/{id}/relations`]: {
    id: 'getRelationGraph',
    words: { source: IP_ID, target: DOMAIN_ID },
    codes: ['not_found', 'aggregation_failed'],
  },
  [`get ${analytics}/entity/{id}/details`]: {
    id: 'getEntityDetails',
    words: {
      'attributes.name': 'country',
      'attributes.label': 'Country',
      'attributes.value': 'Germany',
      'latestAssociations.id': UUID,
    },
    codes: ['not_found', 'aggregation_failed'],
  },
}
