/** The page about one entity, as it stands in the API document. */

import { Type } from 'typebox'
import { retracted } from '../../../http/fields/common.ts'
import { Mode, Relationships, Timestamp } from './relations.ts'

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

export const Details = Type.Object({
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
