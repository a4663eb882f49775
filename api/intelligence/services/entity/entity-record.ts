import { Type } from 'typebox'
import { marksIn, type ShownRow } from '../../../../connectors/history/sql/queries/entities-queries.ts'
import type { EntityView } from '../../../../schemas/intelligence/state/entity-view.ts'

/** What of a view a record shows: everything but its claims. */
export type RecordView = Omit<EntityView, 'country' | 'asn' | 'aso' | 'covered'>

const Reputation = Type.Integer({ minimum: -3, maximum: 3 })

/** A current entity as every answer carries it. */
export const EntityRecord = Type.Object(
  {
    id: Type.String({ description: '`<type>-<SHA3-256 of the normal form of its value>`' }),
    '@timestamp': Type.String({ format: 'date-time', description: 'time of the first report' }),
    lastSeen: Type.String({ format: 'date-time' }),
    type: Type.String(),
    reputation: Reputation,
    bestReputation: Type.Integer({ minimum: -3, maximum: 3, description: 'best reputation among the live claims' }),
    worstReputation: Type.Integer({ minimum: -3, maximum: 3, description: 'worst reputation among the live claims' }),
    accuracy: Type.Integer({ minimum: 0, maximum: 3 }),
    attributes: Type.Record(Type.String(), Type.String(), {
      description: 'attributes by name; the main attribute has the name of the type',
    }),
    tags: Type.Array(Type.String()),
    wellKnown: Type.Boolean({ description: 'whether the entity is well known: its reputation is never negative' }),
  },
  { description: 'the entity, from the reports that the caller may read; the score is as of the last sighting' },
)

/** The record of what one reader is shown of an entity. */
export const entityRecord = (view: RecordView) => ({
  id: view.entityId,
  '@timestamp': new Date(view.firstSeen).toISOString(),
  lastSeen: new Date(view.lastSeen).toISOString(),
  type: view.type,
  reputation: view.reputation,
  bestReputation: view.best,
  worstReputation: view.worst,
  accuracy: view.accuracy,
  attributes: { [view.type]: view.value, ...view.attributes },
  tags: [...view.tags],
  wellKnown: view.wellKnown,
})

/** What a row without claims says of an entity: of one that stands in a single audience, or was folded in the store. */
export const viewOf = (row: Omit<ShownRow, 'audience' | 'version'>): RecordView => ({
  entityId: row.entity_id,
  type: row.type,
  value: row.value,
  reputation: row.reputation,
  accuracy: row.accuracy,
  best: row.best,
  worst: row.worst,
  wellKnown: marksIn(row.well_known).wellKnown,
  tags: row.tags,
  attributes: row.attributes,
  firstSeen: Number(row.first),
  lastSeen: Number(row.last),
})
