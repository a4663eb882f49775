/** How the score of an entity went. */

import { Type } from 'typebox'
import { pointsBetween } from '../../../schemas/intelligence/scoring/score-history.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { entityIdParam } from '../../http/fields/common.ts'
import { instant, TEN_YEARS_MS } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { ScoreHistoryOf } from '../services/entity/score-history-service.ts'
import type { Readers } from '../services/readers.ts'

const SPAN_MS = 60 * 86_400_000

const Scores = Type.Array(
  Type.Object({
    at: Type.String({ format: 'date-time' }),
    reputation: Type.Integer({ minimum: -3, maximum: 3 }),
    accuracy: Type.Integer({ minimum: 0, maximum: 3 }),
    claims: Type.Integer({ description: 'number of claims at that time, including sightings' }),
  }),
  { description: 'oldest first; each point is computed from the evidence at that time' },
)

const moment = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

type Ports = { readers: Readers; scoreHistory: ScoreHistoryOf; now: () => number }

export const scoreHistoryRoutes = ({ readers, scoreHistory, now }: Ports): Route[] => [
  route({
    method: 'get',
    path: '/api/search/v1/entity/{id}/score-history',
    id: 'getScoreHistory',
    summary: 'Get the score of an entity over time, from the claims that the caller may read.',
    codes: ['not_found'],
    examples: { words: { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z', points: 60 } },
    tag: 'Search',
    access: 'anyone',
    scope: 'read',
    params: entityIdParam,
    query: Type.Object({
      from: moment('ISO 8601 or unix milliseconds; default: 60 days before `to`'),
      to: moment('ISO 8601 or unix milliseconds; default: now; may be in the future'),
      points: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 200,
        description: 'number of points at equal distances after `from`; the last point is `to`',
      }),
    }),
    responses: { 200: Scores },
    limit: { service: 'search-api', features: ['entity_lookup_per_minute'] },
    handler: async ({ groups, params, query }) => {
      const bounds = { from: 0, until: now() + TEN_YEARS_MS }
      const to = query.to === undefined ? now() : instant('to', query.to, bounds)
      const from = query.from === undefined ? Math.max(0, to - SPAN_MS) : instant('from', query.from, bounds)
      if (from >= to) throw invalid('from', 'must be before `to`')
      const scores = await scoreHistory(await readers.of(groups), params.id, pointsBetween(from, to, query.points))
      if (scores === null) throw new ApiError('not_found', { message: 'no such entity' })
      return reply(200, scores)
    },
  }),
]
