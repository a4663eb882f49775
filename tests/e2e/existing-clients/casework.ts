/** Cases, watchlists, saved searches and conversations, as the JavaScript client asks for them. */

import { at, type Call, type Known, kept } from './call.ts'
import { BASE, beginsWith, is, path } from './casework-rows.ts'
import { conversationCalls } from './conversations.ts'

const cases: readonly Call[] = [
  {
    method: 'casework.createCase',
    args: [{ title: 'Phishing of March', summary: 'two\nlines', severity: 3, status: 'open' }],
    verb: 'POST',
    path: `${BASE}/cases`,
    body: { title: 'Phishing of March', summary: 'two\nlines', severity: 3, status: 'open' },
    status: 201,
    keep: kept('caseId', 'id'),
    holds: (answer) =>
      is({ title: 'Phishing of March', summary: 'two\nlines', status: 'open', severity: 3 })(answer) &&
      typeof at(answer, 'created_at') === 'string' &&
      typeof at(answer, 'updated_at') === 'string',
  },
  {
    method: 'casework.listCases',
    args: [{ status: 'open', limit: 5 }],
    verb: 'GET',
    path: `${BASE}/cases?status=open&limit=5`,
    status: 200,
    holds: beginsWith('caseId'),
  },
  {
    method: 'casework.listCases',
    args: [{ status: 'closed' }],
    verb: 'GET',
    path: `${BASE}/cases?status=closed`,
    status: 200,
    holds: (answer) => Array.isArray(answer) && answer.length === 0,
  },
  {
    method: 'casework.updateCase',
    args: ({ caseId }) => [caseId, { status: 'in_progress' }],
    verb: 'PATCH',
    path: path('/cases/{caseId}'),
    body: { status: 'in_progress' },
    status: 200,
    holds: is({ title: 'Phishing of March', status: 'in_progress' }),
  },
  {
    method: 'casework.addNote',
    args: ({ caseId }) => [caseId, 'Seen in the mail gateway.'],
    verb: 'POST',
    path: path('/cases/{caseId}/notes'),
    body: { body: 'Seen in the mail gateway.' },
    status: 201,
    keep: kept('noteId', 'id'),
    holds: (answer, { caseId }) => is({ case_id: caseId, body: 'Seen in the mail gateway.' })(answer),
  },
  {
    method: 'casework.pinEntity',
    args: ({ caseId, entityId }) => [
      caseId,
      { entityId, entityType: 'ip', entityValue: '203.0.113.7', note: 'the sender' },
    ],
    verb: 'POST',
    path: path('/cases/{caseId}/entities'),
    body: ({ entityId }) => ({
      entity_id: entityId,
      entity_type: 'ip',
      entity_value: '203.0.113.7',
      note: 'the sender',
    }),
    status: 201,
    keep: kept('pinId', 'id'),
    holds: (answer, { caseId, entityId }) =>
      is({ case_id: caseId, entity_id: entityId, entity_type: 'ip', entity_value: '203.0.113.7' })(answer),
  },
  {
    method: 'casework.pinEntity',
    args: ({ caseId, entityId }) => [caseId, { entityId }],
    verb: 'POST',
    path: path('/cases/{caseId}/entities'),
    body: ({ entityId }) => ({ entity_id: entityId, entity_type: '', entity_value: '', note: '' }),
    status: 200,
    holds: (answer, { pinId }) => is({ id: pinId, note: 'the sender' })(answer),
  },
  {
    method: 'casework.getCase',
    args: ({ caseId }) => [caseId],
    verb: 'GET',
    path: path('/cases/{caseId}'),
    status: 200,
    holds: (answer, { noteId, pinId }) =>
      at(answer, 'notes', 0, 'id') === noteId && at(answer, 'entities', 0, 'id') === pinId,
  },
  {
    method: 'casework.unpinEntity',
    args: ({ caseId, entityId }) => [caseId, entityId],
    verb: 'DELETE',
    path: path('/cases/{caseId}/entities/{entityId}'),
    status: 204,
  },
]

const watchlists: readonly Call[] = [
  {
    method: 'casework.createWatchlist',
    args: [{ name: 'Suppliers', description: 'of parts', enabled: true }],
    verb: 'POST',
    path: `${BASE}/watchlists`,
    body: { name: 'Suppliers', description: 'of parts', enabled: true },
    status: 201,
    keep: kept('watchlistId', 'id'),
    holds: is({ name: 'Suppliers', description: 'of parts', enabled: true }),
  },
  ...(['entity', 'value', 'tag', 'type'] as const).map((kind): Call => {
    const value = ({ entityId = '' }: Known) =>
      ({ entity: entityId, value: '203.0.113.7', tag: 'apt', type: 'ip' })[kind]
    return {
      method: 'casework.addWatchlistItem',
      args: (known) => [known.watchlistId, { kind, value: value(known), maxReputation: -1 }],
      verb: 'POST',
      path: path('/watchlists/{watchlistId}/items'),
      body: (known) => ({ kind, value: value(known), max_reputation: -1 }),
      status: 201,
      keep: kept('itemId', 'id'),
      holds: (answer, known) =>
        is({ watchlist_id: known.watchlistId, kind, value: value(known), max_reputation: -1 })(answer),
    }
  }),
  {
    method: 'casework.addWatchlistItem',
    args: ({ watchlistId }) => [watchlistId, { kind: 'tag', value: 'phishing' }],
    verb: 'POST',
    path: path('/watchlists/{watchlistId}/items'),
    body: { kind: 'tag', value: 'phishing' },
    status: 201,
  },
  {
    method: 'casework.updateWatchlist',
    args: ({ watchlistId }) => [watchlistId, { enabled: false }],
    verb: 'PATCH',
    path: path('/watchlists/{watchlistId}'),
    body: { enabled: false },
    status: 200,
    holds: is({ name: 'Suppliers', enabled: false }),
  },
  {
    method: 'casework.listWatchlists',
    args: [],
    verb: 'GET',
    path: `${BASE}/watchlists`,
    status: 200,
    holds: (answer, known) =>
      beginsWith('watchlistId')(answer, known) &&
      at(answer, 0, 'items', 'length') === 5 &&
      at(answer, 0, 'items', 3, 'id') === known.itemId,
  },
  {
    method: 'casework.deleteWatchlistItem',
    args: ({ watchlistId, itemId }) => [watchlistId, itemId],
    verb: 'DELETE',
    path: path('/watchlists/{watchlistId}/items/{itemId}'),
    status: 204,
  },
  {
    method: 'casework.deleteWatchlist',
    args: ({ watchlistId }) => [watchlistId],
    verb: 'DELETE',
    path: path('/watchlists/{watchlistId}'),
    status: 204,
  },
]

const searches: readonly Call[] = [
  {
    method: 'casework.createSavedSearch',
    args: ['Bad addresses', 'type:ip AND reputation:-3'],
    verb: 'POST',
    path: `${BASE}/searches`,
    body: { name: 'Bad addresses', query: 'type:ip AND reputation:-3' },
    status: 201,
    keep: kept('searchId', 'id'),
    holds: is({ name: 'Bad addresses', query: 'type:ip AND reputation:-3' }),
  },
  {
    method: 'casework.listSavedSearches',
    args: [],
    verb: 'GET',
    path: `${BASE}/searches`,
    status: 200,
    holds: (answer, known) => beginsWith('searchId')(answer, known) && typeof at(answer, 0, 'query') === 'string',
  },
  {
    method: 'casework.deleteSavedSearch',
    args: ({ searchId }) => [searchId],
    verb: 'DELETE',
    path: path('/searches/{searchId}'),
    status: 204,
  },
]

/** Every method of `CaseworkClient` but those of alerts, behind the calls that report `entityId`. */
export const caseworkCalls: readonly Call[] = [...cases, ...watchlists, ...searches, ...conversationCalls]
