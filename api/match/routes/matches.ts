/** Routes of what telemetry met and saw (decisions 14.3, 14.4). */

import { Type } from 'typebox'
import { MAX_CURSOR } from '../../../schemas/cursors/seal.ts'
import { entityId } from '../../http/fields/common.ts'
import { instant, TEN_YEARS_MS } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { MatchesService } from '../services/matches.ts'
import { common, MATCH } from './common.ts'
import { Matches, Seen, showMatch, showSeen } from './match-shapes.ts'

const MAX_LISTED = 1_000
/** Longest value that is asked for, in characters: no event holds a longer one. */
const MAX_VALUE = 2_048

export const matchRoutes = (matches: MatchesService, now: () => number): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${MATCH}/matches`,
    summary: 'List the matches of telemetry with known indicators, newest first.',
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 40,
          description: 'matched at this time or later: unix milliseconds, or ISO 8601 with an offset',
        }),
      ),
      direction: Type.Optional(
        Type.Enum(['forward', 'retro'], {
          description: 'forward: the indicator was known before the event; retro: the event came first',
        }),
      ),
      entity: Type.Optional(entityId),
      limit: Type.Integer({ default: 100, minimum: 1, maximum: MAX_LISTED, description: 'maximum number of matches' }),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: MAX_CURSOR, description: '`cursor` of the previous page' }),
      ),
    }),
    responses: { 200: Matches },
    handler: async ({ user, query: { since, direction = null, entity = null, limit, cursor = null } }) => {
      const bounds = { from: 0, until: now() + TEN_YEARS_MS }
      const from = since === undefined ? null : instant('since', since, bounds)
      const page = await matches.page(user, { since: from, direction, entityId: entity, limit, cursor })
      return reply(200, { items: page.matches.map(showMatch), cursor: page.cursor, more: page.cursor !== null })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${MATCH}/seen`,
    summary: 'List where a value was seen in telemetry, newest hour first.',
    query: Type.Object({
      value: Type.String({
        minLength: 1,
        maxLength: MAX_VALUE,
        description: 'a name, an address, a network (also what is inside), a URL, a digest or an email address',
      }),
      below: Type.Boolean({ default: false, description: 'of a name: also every name below it' }),
      limit: Type.Integer({ default: 100, minimum: 1, maximum: MAX_LISTED, description: 'maximum number of rows' }),
    }),
    responses: { 200: Seen },
    handler: async ({ user, query }) => reply(200, showSeen(query.value, await matches.seen(user, query))),
  }),
]
