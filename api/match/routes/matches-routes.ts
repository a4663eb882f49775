/** Routes of what telemetry met and saw (decisions 14.3, 14.4). */

import { Type } from 'typebox'
import { MAX_CURSOR } from '../../../schemas/cursors/seal.ts'
import { entityId } from '../../http/fields/common.ts'
import { DOMAIN_ID, type Examples, UUID } from '../../http/fields/examples.ts'
import { instant, TEN_YEARS_MS } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { MatchesService } from '../services/matches-service.ts'
import { common, MATCH } from './common-routes.ts'
import { Matches, Seen, showMatch, showSeen } from './match-shapes.ts'

const MAX_LISTED = 1_000
/** Longest value that is asked for, in characters: no event holds a longer one. */
const MAX_VALUE = 2_048

const cursor = 'Kc3rfAq44Ny4VDKBoxNkVc6ezfX28FopeS2ERgWS6Y2HK2YnFg'

const MATCHES: Examples = {
  words: { since: '2026-03-01T00:00:00Z', direction: 'forward', entity: DOMAIN_ID, cursor },
  answers: {
    200: {
      items: [
        {
          id: UUID,
          direction: 'forward',
          at: '2026-03-01T12:00:00.000Z',
          matchedAt: '2026-03-01T12:00:01.204Z',
          event: {
            id: 'CmES5u32sYpV7JYN',
            at: '2026-03-01T12:00:00.000Z',
            kind: 'dns',
            host: 'laptop-17',
            field: 'query',
            value: 'login.example.com',
            refs: ['CmES5u32sYpV7JYN'],
          },
          entity: {
            id: DOMAIN_ID,
            type: 'domain',
            value: 'login.example.com',
            reputation: -2,
            accuracy: 2,
            tags: ['phishing'],
          },
        },
      ],
      cursor,
      more: true,
    },
  },
}

const SEEN: Examples = {
  words: { value: 'login.example.com', below: true },
  answers: {
    200: {
      value: 'login.example.com',
      count: 12,
      first: '2026-03-01T12:00:00.000Z',
      last: '2026-03-01T12:41:07.030Z',
      rows: 1,
      items: [
        {
          value: 'login.example.com',
          field: 'query',
          hour: '2026-03-01T12:00:00.000Z',
          count: 12,
          first: '2026-03-01T12:00:00.000Z',
          last: '2026-03-01T12:41:07.030Z',
          hosts: ['laptop-17'],
          refs: ['CmES5u32sYpV7JYN'],
        },
      ],
    },
  },
}

export const matchRoutes = (matches: MatchesService, now: () => number): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${MATCH}/matches`,
    id: 'listMatches',
    summary: 'List the matches of telemetry with known indicators, newest first.',
    codes: ['not_found', 'bad_cursor'],
    examples: MATCHES,
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
    id: 'findSeen',
    summary: 'List where a value was seen in telemetry, newest hour first.',
    codes: ['not_found'],
    examples: SEEN,
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
