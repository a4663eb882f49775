import { Type } from 'typebox'
import { addressBlock } from '../../http/address-block.ts'
import { failure } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'
import { SORTS, type SourceScorecards } from '../services/analytics/sources.ts'
import type { Readers } from '../services/readers.ts'
import { submitterOf } from '../services/report/submitter.ts'

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Scorecard = Type.Object({
  source: Type.Union([Type.String(), Type.Null()], {
    description:
      'name of a feed; id of a customer or user, to itself and to administrators; null: all others of the kind',
  }),
  kind: Type.String({ description: 'feed, customer, user, scan or trusted' }),
  mine: Type.Boolean({ description: 'whether it is what the caller itself reports as' }),
  volume: Count('history records in the window'),
  entities: Count('entities that it has reported'),
  malicious: Count('of them with a negative reputation by its latest statement'),
  benign: Count('of them with a positive one'),
  unique: Count('entities that no other source has reported'),
  uniqueness: Share('unique / entities'),
  first: Count('entities that others have reported too, all of them later'),
  first_share: Share('first / (entities - unique)'),
  lead_hours: Type.Union([Type.Number(), Type.Null()], {
    description: 'median of the hours from its first report to that of the next source, where it was first',
  }),
  overlap_well_known: Share('of its malicious claims those about well-known or covered entities'),
  agreed_share: Share('of its malicious claims those that another source joined later'),
  contradicted_share: Share('of its malicious claims those that another source called benign later'),
  freshness: Share('average of what is left of its claims: 1 when new, halved with every half-life'),
  last_report: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
})

export type SourcePorts = { readers: Readers; scorecards: SourceScorecards }

/** How the sources do whose reports the caller may read (docs/sources.md). */
export const sourceRoutes = ({ readers, scorecards }: SourcePorts): Route[] => [
  route({
    method: 'get',
    path: '/api/analytics/v1/sources',
    summary: 'Scorecards of the sources of what the caller may read.',
    tag: 'Analytics',
    access: 'anyone',
    query: Type.Object({
      days: Type.Integer({ default: 30, minimum: 1, maximum: 365, description: 'days of the volume' }),
      limit: Type.Integer({ default: 50, minimum: 1, maximum: 1000, description: 'most sources returned' }),
      sort: Type.Union(
        SORTS.map((name) => Type.Literal(name)),
        { default: 'volume', description: 'largest first' },
      ),
    }),
    responses: {
      200: Type.Object({
        items: Type.Array(Scorecard),
        sources: Type.Integer({ description: 'how many there are in all' }),
        window: Type.Object({ days: Type.Integer() }),
      }),
    },
    limit: { service: 'analytics-api', features: ['sources_per_minute'] },
    handler: async ({ user, groups, ip, query }) => {
      const own = user === null ? [] : [...new Set([submitterOf(user).source, user.userId])]
      const every = user?.roles.includes('auth_admin') ?? false
      try {
        const reader = await readers.of(groups)
        return reply(200, await scorecards(reader, { ...query, own, every }, user?.userId ?? addressBlock(ip)))
      } catch (cause) {
        throw failure('aggregation_failed', cause)
      }
    },
  }),
]
