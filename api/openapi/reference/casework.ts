import type { Json } from '../json.ts'
import { IP_ID } from '../words.ts'
import type { References } from './reference.ts'

const casework = '/api/casework/v1'

/** The operations of a kind of record: `createCase`, `listCases`, `getCase`, `updateCase`, `changeCase`, `deleteCase`. */
function recordOperations(path: string, one: string, many: string, body: Json): References {
  const base = `${casework}/${path}`
  return {
    [`post ${base}`]: { id: `create${one}`, codes: ['not_found', 'quota_exceeded'], body },
    [`get ${base}`]: { id: `list${many}` },
    [`get ${base}/{id}`]: { id: `get${one}`, codes: ['not_found'] },
    [`put ${base}/{id}`]: { id: `update${one}`, codes: ['not_found'], body },
    [`patch ${base}/{id}`]: { id: `change${one}`, codes: ['not_found'], body },
    [`delete ${base}/{id}`]: { id: `delete${one}`, codes: ['not_found'] },
  }
}

const TRIAGE = { reputation: -2, name: 'ana', note: 'Blocked at the gateway.' }

const ALERT = {
  entityType: 'ip',
  entityValue: '203.0.113.7',
  reputation: -2,
  matchedKind: 'cidr',
  matchedOn: '203.0.113.0/24',
  state: 'assigned',
  assignee: 'ana',
  note: 'Blocked at the gateway.',
}

/** Operations of cases, watchlists, conversations, saved searches and alerts. */
export const caseworkReference: References = {
  ...recordOperations('cases', 'Case', 'Cases', {
    title: 'Brute force against the mail gateway',
    summary: 'Three networks, since Monday.',
    severity: 3,
    status: 'open',
  }),
  ...recordOperations('watchlists', 'Watchlist', 'Watchlists', {
    name: 'Our networks',
    description: 'Ranges of both sites',
  }),
  ...recordOperations('conversations', 'Conversation', 'Conversations', { title: 'Who is behind 203.0.113.7?' }),
  ...recordOperations('searches', 'SavedSearch', 'SavedSearches', {
    name: 'Bad addresses of the week',
    query: { query: { filter: [{ term: { type: 'ip' } }] } },
  }),
  [`post ${casework}/watchlists/{id}/items`]: {
    id: 'addWatchlistItem',
    codes: ['not_found', 'conflict'],
    body: { kind: 'value', value: '203.0.113.7', type: 'ip', max_reputation: -1 },
  },
  [`get ${casework}/watchlists/{id}/items`]: { id: 'listWatchlistItems', codes: ['not_found'] },
  [`get ${casework}/watchlists/{id}/items/{itemId}`]: { id: 'getWatchlistItem', codes: ['not_found'] },
  [`delete ${casework}/watchlists/{id}/items/{itemId}`]: { id: 'removeWatchlistItem', codes: ['not_found'] },
  [`post ${casework}/conversations/{id}/messages`]: {
    id: 'addMessage',
    codes: ['not_found', 'conflict'],
    body: { content: 'It scans for open mail relays.', role: 'user' },
  },
  [`get ${casework}/conversations/{id}/messages`]: { id: 'listMessages', codes: ['not_found'] },
  [`post ${casework}/conversations/{id}/turns`]: {
    id: 'addTurn',
    codes: ['not_found', 'conflict'],
    words: { name: 'lookup' },
  },
  [`get ${casework}/conversations/{id}/turns`]: { id: 'listTurns', codes: ['not_found'] },
  [`get ${casework}/conversations/search`]: { id: 'searchConversations' },
  [`post ${casework}/cases/{id}/notes`]: { id: 'addNote', codes: ['not_found', 'conflict'] },
  [`get ${casework}/cases/{id}/notes`]: { id: 'listNotes', codes: ['not_found'] },
  [`delete ${casework}/cases/{id}/notes/{itemId}`]: { id: 'removeNote', codes: ['not_found'] },
  [`post ${casework}/cases/{id}/entities`]: { id: 'pinEntity', codes: ['not_found', 'conflict'] },
  [`get ${casework}/cases/{id}/entities`]: { id: 'listPinnedEntities', codes: ['not_found'] },
  [`delete ${casework}/cases/{id}/entities/{entityId}`]: { id: 'unpinEntity', codes: ['not_found'] },
  [`post ${casework}/triage`]: {
    id: 'changeTriage',
    words: TRIAGE,
    body: { entities: [{ id: IP_ID, reputation: -2 }], handled: true, note: 'Blocked at the gateway.' },
  },
  [`post ${casework}/triage/states`]: { id: 'getTriage', words: TRIAGE, body: { ids: [IP_ID] } },
  [`get ${casework}/triage/members`]: { id: 'listTriageMembers', words: { name: 'ana' } },
  [`get ${casework}/alerts`]: { id: 'listAlerts', words: ALERT },
  [`post ${casework}/alerts/read`]: { id: 'readAlerts', body: { read_until: '2026-03-01T12:00:00Z' } },
  [`patch ${casework}/alerts/{id}`]: {
    id: 'changeAlert',
    codes: ['not_found'],
    words: ALERT,
    body: { state: 'handled', note: 'Blocked at the gateway.' },
  },
  [`get ${casework}/alerts/read-state`]: { id: 'getAlertReadState' },
  [`put ${casework}/alerts/read-state`]: {
    id: 'setAlertReadState',
    codes: ['not_found'],
    body: { read_until: '2026-03-01T12:00:00Z', read: [] },
  },
}
