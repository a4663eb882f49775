/** Reports, marks, relations, comments and scans, as the JavaScript client sends them. */

import { at, type Call, kept } from './call.ts'

const BASE = '/api/ingest/v1'

const report = {
  type: 'ip',
  attributes: { ip: '203.0.113.7', country: 'Germany', latitude: '52.5', longitude: '13.4' },
  associations: [{ mode: 'association', type: 'domain', attributes: { domain: 'evil.example.com' } }],
  reputation: -3,
  correlate: [],
  tags: ['APT'],
  visibleBy: ['public'],
}

const acknowledged = (answer: unknown): boolean => at(answer, 'message') === 'acknowledged'

/** Every method of `IngestClient`, on a platform with `HARRIER_SCAN_ALLOW_PRIVATE=true`. Leaves `entityId` (an address) and `relatedId` (a domain). */
export const ingestCalls: readonly Call[] = [
  {
    method: 'ingest.submitEntity',
    args: [report],
    verb: 'POST',
    path: `${BASE}/entity`,
    body: report,
    status: 202,
    keep: kept('entityId', 'id'),
    holds: acknowledged,
  },
  {
    method: 'ingest.submitEntity',
    args: [{ type: 'domain', attributes: { domain: 'other.example.com' } }],
    verb: 'POST',
    path: `${BASE}/entity`,
    body: { type: 'domain', attributes: { domain: 'other.example.com' } },
    status: 202,
    keep: kept('relatedId', 'id'),
    holds: acknowledged,
  },
  {
    method: 'ingest.submitWellKnown',
    args: [{ type: 'domain', attributes: { domain: 'good.example.com' } }],
    verb: 'POST',
    path: `${BASE}/well-known`,
    body: { type: 'domain', attributes: { domain: 'good.example.com' } },
    status: 202,
    holds: acknowledged,
  },
  ...(['entityId', 'relatedId'] as const).map(
    (name): Call => ({
      method: '-',
      verb: 'GET',
      path: (known) => `/api/search/v1/entity/${known[name]}`,
      status: 200,
      eventually: true,
    }),
  ),
  {
    method: 'ingest.submitAssociation',
    args: ({ entityId, relatedId }) => [{ entityID: entityId, relatedEntityID: relatedId }],
    verb: 'POST',
    path: `${BASE}/association`,
    body: ({ entityId, relatedId }) => ({ entityID: entityId, relatedEntityID: relatedId }),
    status: 202,
    holds: acknowledged,
  },
  {
    method: 'ingest.getDefinitions',
    args: [],
    verb: 'GET',
    path: `${BASE}/definitions`,
    status: 200,
    holds: (answer) =>
      ['type', 'label', 'description', 'dataType'].every((name) => typeof at(answer, 0, name) === 'string'),
  },
  {
    method: 'ingest.createComment',
    args: ({ entityId }) => [{ entityId, content: 'Seen in the mail gateway.' }],
    verb: 'POST',
    path: `${BASE}/comment`,
    body: ({ entityId }) => ({ entityId, content: 'Seen in the mail gateway.', parentId: null }),
    status: 201,
    keep: kept('commentId', 'id'),
    holds: (answer, { entityId }) =>
      at(answer, 'entityId') === entityId &&
      at(answer, 'content') === 'Seen in the mail gateway.' &&
      at(answer, 'parentId') === null &&
      ['author', 'authorName', 'createdAt'].every((name) => typeof at(answer, name) === 'string'),
  },
  {
    method: 'ingest.createComment',
    args: ({ entityId, commentId }) => [{ entityId, content: 'By whom?', parentId: commentId }],
    verb: 'POST',
    path: `${BASE}/comment`,
    body: ({ entityId, commentId }) => ({ entityId, content: 'By whom?', parentId: commentId }),
    status: 201,
    holds: (answer, { commentId }) => at(answer, 'parentId') === commentId,
  },
  {
    method: 'ingest.createScan',
    args: [{ target: 'localhost', type: 'fqdn' }],
    verb: 'POST',
    path: `${BASE}/scan`,
    body: { target: 'localhost', type: 'fqdn' },
    status: 202,
    keep: kept('taskId', 'taskId'),
    holds: (answer) => at(answer, 'status') === 'new' && typeof at(answer, 'message') === 'string',
  },
  {
    method: 'ingest.getScanStatus',
    args: ({ taskId }) => [taskId],
    verb: 'GET',
    path: ({ taskId }) => `${BASE}/scan/${taskId}`,
    status: 200,
    holds: (answer, { taskId }) =>
      at(answer, 'taskId') === taskId &&
      typeof at(answer, 'status') === 'string' &&
      typeof at(answer, 'message') === 'string',
  },
]
