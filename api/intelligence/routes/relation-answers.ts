/** Answers of the routes about the relations of an entity, as they stand in the API document. */

import { Type } from 'typebox'

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' })
export const Mode = Type.Enum(['aggregation', 'association'])

const Relation = Type.Object({
  id: Type.String(),
  entityID: Type.String({ description: 'the entity that the relation was stated of' }),
  relatedEntityID: Type.String({ description: 'the entity that it was said to be related to' }),
  mode: Mode,
  direction: Type.Enum(['outgoing', 'incoming'], { description: 'outgoing: the entity asked about is `entityID`' }),
  type: Type.Union([Type.String(), Type.Null()], {
    description: 'of the other end, like what follows; null where the caller may read the relation and not the entity',
  }),
  value: Type.Union([Type.String(), Type.Null()]),
  reputation: Type.Union([Type.Integer(), Type.Null()]),
  accuracy: Type.Union([Type.Integer(), Type.Null()]),
  '@timestamp': Type.String({ format: 'date-time', description: 'when it was first stated' }),
  lastSeen: Type.String({ format: 'date-time', description: 'when it was last stated' }),
  visibleBy: Type.Array(Type.String(), { description: 'groups of the caller that may read it' }),
})

export const RelationPage = Type.Object({
  items: Type.Integer({ description: 'all matching relations' }),
  pages: Type.Integer(),
  results: Type.Array(Relation),
})

export const Graph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      value: Type.String(),
      reputation: Type.Integer(),
      accuracy: Type.Integer(),
      tags: Type.Array(Type.String()),
      level: Type.Integer({ description: 'steps from the entity asked about' }),
    }),
  ),
  relations: Type.Array(
    Type.Object({
      source: Type.String(),
      target: Type.String(),
      mode: Mode,
      type: Type.Enum(['aggregation', 'association'], { description: 'the same as mode' }),
      lastSeen: Timestamp,
    }),
    { description: 'every relation between the nodes' },
  ),
  depth: Type.Integer({ description: 'steps from the entity that were asked for' }),
  truncated: Type.Boolean({ description: 'something that is near enough was left out' }),
})
