import type { References } from './reference.ts'

const admin = '/api/admin/v1'
const LETTER = 'entity.observations.dead:0:42'
const ACTOR = '7f1c2f5e-9a0b-4c57-8a55-3d1f0c2b6e11'
const SUBJECT = '01a1f965-4076-7a6c-91c7-ed147b957c91'

/** Operations for operators, and the documents of the API. */
export const operationReference: References = {
  [`get ${admin}/dead-letters`]: { id: 'listDeadLetters', words: { state: 'waiting', id: LETTER } },
  [`get ${admin}/dead-letters/{id}`]: { id: 'getDeadLetter', codes: ['not_found'], words: { id: LETTER } },
  [`post ${admin}/dead-letters/replay`]: { id: 'replayDeadLetters', words: { id: LETTER }, body: { ids: [LETTER] } },
  [`post ${admin}/dead-letters/drop`]: {
    id: 'dropDeadLetters',
    words: { id: LETTER },
    body: { ids: [LETTER], note: 'the feed was repaired and has sent these records again' },
  },
  [`get ${admin}/topics`]: { id: 'listTopics', words: { low: 0 } },
  [`get ${admin}/lag`]: { id: 'listLag' },
  [`get ${admin}/health`]: { id: 'getHealth', words: { 'parts.name': 'history' } },
  [`get ${admin}/breakers`]: { id: 'listBreakers' },
  [`post ${admin}/breakers/{group}/close`]: {
    id: 'closeBreaker',
    codes: ['not_found', 'conflict'],
    body: { allow: 0 },
  },
  [`get ${admin}/waiting`]: {
    id: 'countWaiting',
    answers: { 200: { deadLetters: 3, breakers: 1, isolatedSources: 0, heldFeeds: 2 } },
  },
  [`post ${admin}/names`]: {
    id: 'nameIds',
    body: { ids: [ACTOR] },
    answers: { 200: { names: [{ id: ACTOR, kind: 'user', name: 'ana@example.com' }] } },
  },
  [`get ${admin}/audit`]: {
    id: 'listAuditRecords',
    codes: ['bad_cursor'],
    words: {
      actor: ACTOR,
      action: 'key.make',
      subject: SUBJECT,
      since: '2026-11-01T00:00:00Z',
      until: '2026-12-01T00:00:00Z',
      cursor: 'AfJ2c0m3xk9vT1qLw8e7Zg',
    },
    answers: {
      200: {
        items: [
          {
            id: '01a1f965-4076-7a6c-91c7-ed147b957c85',
            at: '2026-11-27T04:00:00.000Z',
            partition: 1,
            offset: 41,
            sequence: 41,
            actor: { userID: ACTOR, keyID: '01a1f965-4076-7a6c-91c7-ed147b957c90' },
            action: 'key.make',
            subject: SUBJECT,
            outcome: 'success',
            ip: '203.0.113.7',
            count: 1,
            previousHash: '9c'.repeat(32),
            hash: '4b'.repeat(32),
          },
          {
            id: '01a1f965-3f00-7d11-8a2e-6b1c9d0e4f57',
            at: '2026-11-27T03:59:58.848Z',
            partition: 1,
            offset: 40,
            sequence: 40,
            actor: { userID: ACTOR },
            action: 'role.give',
            subject: SUBJECT,
            outcome: 'success',
            ip: '203.0.113.7',
            count: 1,
            previousHash: 'e7'.repeat(32),
            hash: '9c'.repeat(32),
            details: [{ what: 'roles', count: 1, first: ['reporter'] }],
          },
        ],
        cursor: null,
        more: false,
      },
    },
  },
  [`get ${admin}/demo`]: { id: 'getDemo', words: { state: 'loaded' } },
  [`post ${admin}/demo`]: { id: 'loadDemo', words: { state: 'loading' } },
  [`post ${admin}/retractions`]: {
    id: 'retractFeed',
    codes: ['not_found', 'retraction_pending'],
    words: { feed: 'blocklist' },
    body: {
      feed: 'blocklist',
      from: '2026-05-01T00:00:00Z',
      to: '2026-05-02T00:00:00Z',
      reason: 'the feed was compromised',
      preview: true,
    },
  },

  'get /livez': { id: 'getLiveness' },
  'get /readyz': { id: 'getReadiness', codes: ['unavailable'] },
  'get /metrics': { id: 'getMetrics' },
  'get /': { id: 'getIndex', words: { name: 'Harrier' } },
  'get /openapi.json': { id: 'getApiDocument' },
  'get /docs': { id: 'getDocumentsPage' },
  'get /docs/{file}': { id: 'getDocumentsFile', codes: ['not_found'], words: { file: 'swagger-ui.css' } },
}
