/** Cases, watchlists, conversations, saved searches and alerts of one analyst (decisions 8.3, 13.1). */

import { Type } from 'typebox'
import { MEMBER_ROLES } from '../../../schemas/accounts/team.ts'
import { CASE_STATES, type Content, MAX_QUERY_BYTES, queryFault } from '../../../schemas/casework/casework.ts'
import type { TeamService } from '../../accounts/services/team/team-service.ts'
import { invalid } from '../../http/errors.ts'
import { text } from '../../http/fields/common.ts'
import { type Route, route } from '../../http/route.ts'
import type { AlertReadService } from '../services/alert-reads.ts'
import type { AlertService } from '../services/alerts-service.ts'
import type { CaseworkEntryService } from '../services/casework-entries-service.ts'
import { alertReadRoutes } from './alert-reads.ts'
import { alertRoutes } from './alerts-routes.ts'
import { ITEMS, MESSAGES, NOTES, PINS, TURNS } from './casework-entries-routes.ts'
import {
  CASEWORK,
  type Common,
  caseworkPaging,
  entryShape,
  lines,
  type OwnedKind,
  replyPage,
  shownEntry,
  TOTAL,
} from './casework-shapes.ts'
import { type CaseworkServices, ownedRoutes, UNFILED } from './owned-records.ts'
import { entryRemoval, entryRoutes, itemRoute } from './record-entries.ts'

const query = Type.Object({
  q: Type.String({ maxLength: 1_000, description: 'words that must all occur; the last word may be incomplete' }),
  page: caseworkPaging.page,
  limit: Type.Integer({ default: 25, minimum: 1, maximum: 50 }),
})

/** "In which investigation did I see this hash?": search of the caller's conversations (ADR 280). */
const conversationSearch = (entries: CaseworkEntryService, common: Common): Route =>
  route({
    ...common,
    method: 'get',
    path: `${CASEWORK}/conversations/search`,
    id: 'searchConversations',
    summary: `Search the turns of the caller’s conversations for words. Without words the result is empty. ${TOTAL}`,
    query,
    responses: { 200: Type.Array(entryShape(TURNS), { description: 'newest first' }) },
    handler: async ({ user, query: { q, ...page } }) => {
      const { found, items } = await entries.search(user, q, page)
      return replyPage(
        found.map(({ record, entry }) => shownEntry(TURNS, record, entry)),
        items,
      )
    },
  })

const name = text(1, 200)
const status = Type.Enum([...CASE_STATES])

const CASES: OwnedKind = {
  kind: 'case',
  name: 'Case',
  names: 'Cases',
  example: {
    title: 'Brute force against the mail gateway',
    summary: 'Three networks, since Monday.',
    severity: 3,
    status: 'open',
  },
  path: 'cases',
  required: { title: name },
  optional: {
    summary: lines(0, 20_000),
    severity: Type.Integer({ minimum: 0, maximum: 4, description: '0 unknown, 4 critical' }),
    status,
  },
  filters: { status },
  children: [NOTES, PINS],
}

const WATCHLISTS: OwnedKind = {
  kind: 'watchlist',
  name: 'Watchlist',
  names: 'Watchlists',
  example: { name: 'Our networks', description: 'Ranges of both sites' },
  path: 'watchlists',
  required: { name },
  optional: { description: lines(0, 5_000), enabled: Type.Boolean() },
  filters: {},
  children: [ITEMS],
  childrenInLists: true,
}

const CONVERSATIONS: OwnedKind = {
  kind: 'conversation',
  name: 'Conversation',
  names: 'Conversations',
  example: { title: 'Who is behind 203.0.113.7?' },
  path: 'conversations',
  required: { title: name },
  optional: {},
  filters: {
    case_id: Type.String({
      pattern: `^(?:${UNFILED}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`,
      description: `id of a case of the caller, or \`${UNFILED}\` for conversations without a case`,
    }),
  },
  children: [],
}

const SEARCHES: OwnedKind = {
  kind: 'search',
  name: 'SavedSearch',
  names: 'SavedSearches',
  example: { name: 'Bad addresses of the week', query: { query: { filter: [{ term: { type: 'ip' } }] } } },
  path: 'searches',
  required: {
    name,
    query: Type.Union([Type.String({ minLength: 1 }), Type.Record(Type.String(), Type.Unknown())], {
      description: `search text, or the body of an advanced search; at most ${MAX_QUERY_BYTES} bytes`,
    }),
  },
  optional: {},
  check: ({ query }) => {
    const fault = query === undefined ? null : queryFault(query as Content | string)
    if (fault !== null) throw invalid('query', fault)
  },
  filters: {},
  children: [],
}

export type InboxServices = { alerts: AlertService; alertReads: AlertReadService }

export function caseworkRoutes(
  services: CaseworkServices,
  { alerts, alertReads }: InboxServices,
  team: TeamService,
): Route[] {
  const { entries } = services
  const common: Common = {
    tag: 'Casework',
    access: 'authenticated',
    scope: 'casework',
    permit: team.permit(MEMBER_ROLES, 'forbidden'),
  }
  return [
    ...[CASES, WATCHLISTS, CONVERSATIONS, SEARCHES].flatMap((kind) => ownedRoutes(services, common, kind)),
    ...[ITEMS, MESSAGES, TURNS, NOTES, PINS].flatMap((spec) => entryRoutes(entries, common, spec)),
    itemRoute(entries, common, ITEMS, 'getWatchlistItem'),
    entryRemoval(entries, common, ITEMS, { id: 'removeWatchlistItem', action: 'watchlist.remove' }),
    entryRemoval(entries, common, NOTES, { id: 'removeNote', action: 'case.unnote' }),
    entryRemoval(entries, common, PINS, { id: 'unpinEntity', action: 'case.unpin' }),
    conversationSearch(entries, common),
    ...alertReadRoutes(alertReads, common),
    ...alertRoutes(alerts, common),
  ]
}
