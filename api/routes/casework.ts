/** Cases, watchlists, conversations, saved searches and read alerts of one analyst (decisions 8.3). */

import { Type } from 'typebox'
import {
  CASE_STATES,
  type Content,
  ITEM_KINDS,
  itemFault,
  MAX_QUERY_BYTES,
  MESSAGE_ROLES,
  queryFault,
} from '../../schemas/casework.ts'
import { definitionOf } from '../../schemas/entities/catalogue.ts'
import { MEMBER_ROLES } from '../../schemas/team.ts'
import { invalid } from '../errors.ts'
import { text } from '../fields.ts'
import type { Route } from '../route.ts'
import type { AlertReadService } from '../services/alert-reads.ts'
import type { CaseworkService } from '../services/casework.ts'
import type { TeamService } from '../services/team.ts'
import { alertReadRoutes } from './alert-reads.ts'
import { type Common, type OwnedKind, ownedRoutes } from './owned-records.ts'
import { type EntryKind, entryRoutes, oneEntryRoutes } from './record-entries.ts'

/** Lines of text: control characters other than tabs and line ends have no place. */
const lines = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$' })

const name = text(1, 200)

const CASES: OwnedKind = {
  kind: 'case',
  path: 'cases',
  required: { title: name },
  optional: {
    summary: lines(0, 20_000),
    severity: Type.Integer({ minimum: 0, maximum: 4, description: '0 unknown, 4 critical' }),
    status: Type.Enum([...CASE_STATES]),
  },
}

const WATCHLISTS: OwnedKind = {
  kind: 'watchlist',
  path: 'watchlists',
  required: { name },
  optional: { description: lines(0, 5_000), enabled: Type.Boolean() },
}

const CONVERSATIONS: OwnedKind = {
  kind: 'conversation',
  path: 'conversations',
  required: { title: name },
  optional: {},
  linked: true,
}

const SEARCHES: OwnedKind = {
  kind: 'search',
  path: 'searches',
  required: {
    name,
    query: Type.Record(Type.String(), Type.Unknown(), {
      description: `a search as it would be sent, at most ${MAX_QUERY_BYTES} bytes`,
    }),
  },
  optional: {},
  check: ({ query }) => {
    const fault = query === undefined ? null : queryFault(query as Content)
    if (fault !== null) throw invalid('query', fault)
  },
}

const ITEMS: EntryKind = {
  kind: 'watchlist',
  of: 'watchlists',
  path: 'items',
  required: { kind: Type.Enum([...ITEM_KINDS]), value: text(1, 2_048) },
  optional: {
    type: Type.String({ maxLength: 64, description: 'a type of entity' }),
    max_reputation: Type.Integer({ minimum: -3, maximum: 3, description: 'watched only up to this reputation' }),
  },
  defaults: {},
  check: (item) => {
    const { kind, value, type } = item as { kind: (typeof ITEM_KINDS)[number]; value: string; type?: string }
    const fault = itemFault({ kind, value })
    if (fault !== null) throw invalid('value', fault)
    if (type !== undefined && definitionOf(type) === undefined) throw invalid('type', 'is no type of entity')
  },
}

const MESSAGES: EntryKind = {
  kind: 'conversation',
  of: 'conversations',
  path: 'messages',
  required: { content: lines(1, 20_000) },
  optional: { role: Type.Enum([...MESSAGE_ROLES]) },
  defaults: { role: 'user' },
  check: () => undefined,
}

export function caseworkRoutes(casework: CaseworkService, alertReads: AlertReadService, team: TeamService): Route[] {
  const common: Common = {
    tag: 'Casework',
    access: 'authenticated',
    permit: team.permit(MEMBER_ROLES, 'forbidden'),
  }
  return [
    ...[CASES, WATCHLISTS, CONVERSATIONS, SEARCHES].flatMap((kind) => ownedRoutes(casework, common, kind)),
    ...[ITEMS, MESSAGES].flatMap((kind) => entryRoutes(casework, common, kind)),
    ...oneEntryRoutes(casework, common, ITEMS),
    ...alertReadRoutes(alertReads, common),
  ]
}
