import { Type } from 'typebox'
import { addressBlock } from '../../http/addresses/address-block.ts'
import { failure } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'
import { SORTS, type SourceScorecards } from '../services/analytics/sources-service.ts'
import type { Readers } from '../services/readers.ts'
import { submitterOf } from '../services/report/submitter.ts'

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Scorecard = Type.Object({
  source: Type.Union([Type.String(), Type.Null()], {
    description:
      'name of a feed, or id of a customer or user (shown only to itself and to administrators); null: all other sources of this kind',
  }),
  kind: Type.String({ description: 'kind of the source: feed, customer, user, scan or trusted' }),
  mine: Type.Boolean({ description: 'whether the caller reports as this source' }),
  volume: Count('number of history records in the window'),
  entities: Count('number of entities that the source has reported'),
  malicious: Count('entities with a negative reputation in the latest report of the source'),
  benign: Count('entities with a positive reputation in the latest report of the source'),
  unique: Count('entities that no other source has reported'),
  uniqueness: Share('unique / entities'),
  first: Count('entities that other sources also reported, all of them later'),
  first_share: Share('first / (entities - unique)'),
  lead_hours: Type.Union([Type.Number(), Type.Null()], {
    description:
      'median number of hours between the first report of this source and the first report of the next source, where this source was first',
  }),
  overlap_well_known: Share('share of its malicious claims that are about well-known or covered entities'),
  agreed_share: Share('share of its malicious claims that another source confirmed later'),
  contradicted_share: Share('share of its malicious claims that another source rated benign later'),
  freshness: Share('average freshness of its claims: 1 when new, halved with every half-life'),
  last_report: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
})

export type SourcePorts = { readers: Readers; scorecards: SourceScorecards }

/** Scorecards of the sources of reports that the caller may read (docs/use/sources.md). */
export const sourceRoutes = ({ readers, scorecards }: SourcePorts): Route[] => [
  route({
    method: 'get',
    path: '/api/analytics/v1/sources',
    id: 'listSources',
    summary: 'Get scorecards of the sources behind the reports that the caller may read.',
    codes: ['aggregation_failed'],
    examples: { words: { kind: 'feed' } },
    tag: 'Analytics',
    access: 'anyone',
    scope: 'read',
    query: Type.Object({
      days: Type.Integer({ default: 30, minimum: 1, maximum: 365, description: 'number of days that `volume` covers' }),
      limit: Type.Integer({
        default: 50,
        minimum: 1,
        maximum: 1000,
        description: 'maximum number of sources returned',
      }),
      sort: Type.Union(
        SORTS.map((name) => Type.Literal(name)),
        { default: 'volume', description: 'field to sort by, largest first' },
      ),
    }),
    responses: {
      200: Type.Object({
        items: Type.Array(Scorecard),
        sources: Type.Integer({ description: 'total number of sources' }),
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
