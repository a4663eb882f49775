import { Type } from 'typebox'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { ENTITY_ID } from '../../../schemas/intelligence/entities/id.ts'
import { ApiError, type ErrorCode, failure, invalid } from '../../http/errors.ts'
import { retracted } from '../../http/fields/common.ts'
import { DOMAIN_ID, IP_ID, UUID } from '../../http/fields/examples.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { EntityDetails } from '../services/entity/details.ts'
import type { RelationGraph } from '../services/entity/relation-graph.ts'
import type { Relations } from '../services/entity/relations-service.ts'
import { PageTooDeep } from '../services/page-depth.ts'
import type { Readers } from '../services/readers.ts'
import { Graph, Mode, RelationPage, Relationships, Timestamp } from './answers/relations-routes.ts'

/** The page about one entity, as it stands in the API document. */
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])
const Reputation = Type.Integer({ minimum: -3, maximum: 3 })
const Accuracy = Type.Integer({ minimum: 0, maximum: 3 })
const Label = Type.String({ description: 'the score as a word' })

const Summary = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    value: Type.String(),
    description: Type.String({ description: 'label of the entity type' }),
    reputation_score: Reputation,
    reputation: Label,
    best_reputation_score: Reputation,
    best_reputation: Label,
    worst_reputation_score: Reputation,
    worst_reputation: Label,
    accuracy_score: Accuracy,
    accuracy: Label,
  },
  { description: 'the entity' },
)

const Place = Type.Object({
  object: Type.String({ description: 'the value of the entity' }),
  country: nullable(Type.String()),
  asn: nullable(Type.Integer()),
  aso: nullable(Type.String()),
  latitude: nullable(Type.Number({ description: 'degrees, as reported' })),
  longitude: nullable(Type.Number({ description: 'degrees, as reported' })),
  accuracy_radius: nullable(Type.Number({ description: 'metres, as reported' })),
})

const Associated = Type.Object({
  id: Type.String({ description: 'id of the entity at the other end of the relation' }),
  type: nullable(Type.String()),
  value: nullable(Type.String()),
  reputation: nullable(Label),
  reputation_score: nullable(Reputation),
  accuracy_score: nullable(Accuracy),
  mode: Mode,
  relationships: Relationships,
  direction: Type.Enum(['outgoing', 'incoming']),
  last_seen: Timestamp,
})

const Details = Type.Object({
  id: Type.String(),
  type: Type.String(),
  value: Type.String(),
  label: Type.String({ description: 'label of the entity type' }),
  attributes: Summary,
  metadata: Type.Record(Type.String(), Type.String(), { description: 'all attributes with their latest values' }),
  extended_metadata: Type.Record(
    Type.String(),
    Type.Object({ label: Type.String(), value: Type.String(), last_seen: Timestamp }),
    { description: 'the same attributes, each with its label and the time of its value' },
  ),
  reputation: Type.Object({
    current: Type.Integer(),
    best: Type.Integer({ description: 'reputation of the best claim that still counts' }),
    worst: Type.Integer({ description: 'reputation of the worst claim that still counts' }),
    label: Type.String(),
  }),
  accuracy: Type.Object({ value: Type.Integer(), label: Type.String() }),
  tags: Type.Array(Type.String()),
  wellKnown: Type.Boolean(),
  retracted,
  firstSeen: Timestamp,
  lastSeen: Timestamp,
  sources: Type.Integer({ description: 'number of distinct sources that reported the entity, including sightings' }),
  geolocations: Type.Array(Place, { description: 'empty if unknown' }),
  latest_associations: Type.Array(Associated, { description: 'newest first, at most 10' }),
  activity: Type.Array(Type.Object({ timestamp: Timestamp, count: Type.Integer() }), {
    description: 'number of history records per UTC day over the last 30 days, oldest first',
  }),
})

const Params = Type.Object({ id: Type.String({ pattern: ENTITY_ID, maxLength: 129, description: 'id of an entity' }) })

export type RelationPorts = {
  readers: Readers
  relations: Relations
  graph: RelationGraph
  details: EntityDetails
  now: () => number
}

/** What an entity is related to, and one page about it: only what the caller may read. */
export const relationRoutes = ({ readers, relations, graph, details, now }: RelationPorts): Route[] => [
  route({
    method: 'get',
    path: '/api/search/v1/entity/{id}/relations',
    id: 'listRelations',
    summary: 'List the relations of an entity in both directions, newest first.',
    codes: ['not_found', 'search_failed'],
    examples: { words: { 'results.id': UUID, type: 'domain', value: 'login.example.com' } },
    tag: 'Search',
    access: 'anyone',
    scope: 'read',
    params: Params,
    query: Type.Object({
      limit: Type.Integer({ default: 10, minimum: 1, maximum: 1000 }),
      page: Type.Integer({
        default: 1,
        maximum: 1_000_000_000,
        description: 'page number; 1 or less is the first page',
      }),
      types: Type.Optional(
        Type.String({ maxLength: 8192, description: 'entity types of the other end, separated by commas' }),
      ),
    }),
    responses: { 200: RelationPage },
    limit: { service: 'search-api', features: ['entity_relations_per_minute'] },
    handler: async ({ groups, params: { id }, query: { limit, page, types } }) => {
      const question = { id, types: types === undefined ? null : typesOf(types), limit, page: Math.max(1, page) }
      return reply(
        200,
        await requireEntity('search_failed', async () => relations.page(await readers.of(groups), question)),
      )
    },
  }),
  route({
    method: 'get',
    path: '/api/analytics/v1/entity/{id}/relations',
    id: 'getRelationGraph',
    summary: 'Get the graph around an entity: the entities within some steps and all relations between them.',
    codes: ['not_found', 'aggregation_failed'],
    examples: { words: { source: IP_ID, target: DOMAIN_ID } },
    tag: 'Analytics',
    access: 'anyone',
    scope: 'read',
    params: Params,
    query: Type.Object({
      levels: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3, description: 'number of steps from the entity; default: 1' }),
      ),
      depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: 'another name of `levels`' })),
      limit: Type.Integer({ default: 50, minimum: 1, maximum: 500, description: 'maximum number of nodes' }),
    }),
    responses: { 200: Graph },
    limit: { service: 'search-api', features: ['entity_relations_graph_per_minute'] },
    handler: async ({ groups, params: { id }, query: { levels, depth, limit } }) => {
      if (levels !== undefined && depth !== undefined && levels !== depth)
        throw invalid('depth', 'differs from levels; send only one of the two')
      const question = { id, levels: levels ?? depth ?? 1, limit }
      return reply(
        200,
        await requireEntity('aggregation_failed', async () => graph(await readers.of(groups), question)),
      )
    },
  }),
  route({
    method: 'get',
    path: '/api/analytics/v1/entity/{id}/details',
    id: 'getEntityDetails',
    summary: 'Get a summary of an entity: score, attributes, location, latest relations and timeline.',
    codes: ['not_found', 'aggregation_failed'],
    examples: {
      words: {
        'attributes.name': 'country',
        'attributes.label': 'Country',
        'attributes.value': 'Germany',
        'latestAssociations.id': UUID,
      },
    },
    tag: 'Analytics',
    access: 'anyone',
    scope: 'read',
    params: Params,
    responses: { 200: Details },
    limit: { service: 'search-api', features: ['entity_lookup_per_minute'] },
    handler: async ({ groups, params: { id } }) =>
      reply(200, await requireEntity('aggregation_failed', async () => details(await readers.of(groups), id, now()))),
  }),
]

/** A comma-separated list of types of the catalogue. Throws a 400 that names the one that is none. */
function typesOf(list: string): string[] {
  const types = new Set(list.split(',').map((type) => type.trim()))
  for (const type of types)
    if (definitionOf(type) === undefined) throw invalid('types', `${JSON.stringify(type)} is not an entity type`)
  return [...types]
}

/** Throws 404 for an unknown entity and for one that the caller may not read, and a 500 of `kind` for a failing store. */
async function requireEntity<T>(kind: ErrorCode, ask: () => Promise<T | null>): Promise<T> {
  const answer = await ask().catch((cause) => {
    if (cause instanceof PageTooDeep) throw invalid('page', cause.message)
    throw failure(kind, cause)
  })
  if (answer === null) throw new ApiError('not_found', { message: 'id: no such entity', param: 'id' })
  return answer
}
