/** Answers of the routes about the relations of an entity, as they stand in the API document. */

import { Type } from 'typebox'
import { retracted } from '../../../http/fields/common.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' })
export const Mode = Type.Enum(['aggregation', 'association'])

export const Relationships = Type.Array(Type.String(), {
  description: 'relationship types with which the relation was reported, such as resolves-to, sorted; at most 50',
})

const Relation = Type.Object({
  id: Type.String(),
  entityID: Type.String({ description: 'the entity at which the relation was reported' }),
  relatedEntityID: Type.String({ description: 'the entity that it is related to' }),
  mode: Mode,
  relationships: Relationships,
  direction: Type.Enum(['outgoing', 'incoming'], { description: 'outgoing: the queried entity is `entityID`' }),
  type: Type.Union([Type.String(), Type.Null()], {
    description:
      'type of the other end, like the following fields; null if the caller may read the relation but not that entity',
  }),
  value: Type.Union([Type.String(), Type.Null()]),
  reputation: Type.Union([Type.Integer(), Type.Null()]),
  accuracy: Type.Union([Type.Integer(), Type.Null()]),
  '@timestamp': Type.String({ format: 'date-time', description: 'when the relation was first reported' }),
  lastSeen: Type.String({ format: 'date-time', description: 'when the relation was last reported' }),
  visibleBy: Type.Array(Type.String(), { description: 'groups of the caller that may read the relation' }),
})

export const RelationPage = Type.Object({
  items: Type.Integer({ description: 'total number of matching relations' }),
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
      level: Type.Integer({ description: 'number of steps from the queried entity' }),
      retracted,
    }),
  ),
  relations: Type.Array(
    Type.Object({
      source: Type.String(),
      target: Type.String(),
      mode: Mode,
      type: Type.Enum(['aggregation', 'association'], { description: 'the same as mode' }),
      relationships: Relationships,
      lastSeen: Timestamp,
    }),
    { description: 'all relations between the nodes' },
  ),
  depth: Type.Integer({ description: 'requested number of steps from the entity' }),
  truncated: Type.Boolean({ description: 'true if entities within the requested steps were left out' }),
})
