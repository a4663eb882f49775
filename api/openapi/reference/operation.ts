import type { References } from './reference.ts'

const admin = '/api/admin/v1'
const LETTER = 'entity.observations.dead:0:42'

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
  [`get ${admin}/demo`]: { id: 'getDemo', words: { state: 'loaded' } },
  [`post ${admin}/demo`]: { id: 'loadDemo', words: { state: 'loading' }, codes: ['conflict'] },
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
