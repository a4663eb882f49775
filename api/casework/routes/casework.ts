/** Cases, watchlists, conversations, saved searches and alerts of one analyst (decisions 8.3, 13.1). */

import { Type } from 'typebox'
import { MEMBER_ROLES } from '../../../schemas/accounts/team.ts'
import { CASE_STATES, type Content, MAX_QUERY_BYTES, queryFault } from '../../../schemas/casework/casework.ts'
import type { TeamService } from '../../accounts/services/team/team.ts'
import { invalid } from '../../http/errors.ts'
import { text } from '../../http/fields/common.ts'
import type { Route } from '../../http/route.ts'
import type { AlertReadService } from '../services/alert-reads.ts'
import type { AlertService } from '../services/alerts.ts'
import { alertReadRoutes } from './alert-reads.ts'
import { alertRoutes } from './alerts.ts'
import { ITEMS, MESSAGES, NOTES, PINS, TURNS } from './casework-entries.ts'
import { type Common, lines, type OwnedKind } from './casework-shapes.ts'
import { conversationSearch } from './conversation-search.ts'
import { type CaseworkServices, ownedRoutes, UNFILED } from './owned-records.ts'
import { entryRemoval, entryRoutes, itemRoute } from './record-entries.ts'

const name = text(1, 200)
const status = Type.Enum([...CASE_STATES])

const CASES: OwnedKind = {
  kind: 'case',
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
  path: 'watchlists',
  required: { name },
  optional: { description: lines(0, 5_000), enabled: Type.Boolean() },
  filters: {},
  children: [ITEMS],
  childrenInLists: true,
}

const CONVERSATIONS: OwnedKind = {
  kind: 'conversation',
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
    itemRoute(entries, common, ITEMS),
    ...[ITEMS, NOTES, PINS].map((spec) => entryRemoval(entries, common, spec)),
    conversationSearch(entries, common),
    ...alertReadRoutes(alertReads, common),
    ...alertRoutes(alerts, common),
  ]
}
