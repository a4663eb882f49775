import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'
import type { EntityRow } from './entities-queries.ts'

/** One relationship type of a link as one of its ends has it. Times are unix milliseconds as text. */
export type NewestLinkRow = {
  entity_id: string
  related_id: string
  mode: LinkMode
  /** 1: `entity_id` stated it. */
  outgoing: number
  /** Empty: stated without a type. */
  relationship: string
  first: string
  last: string
}

/** @property each most links of one entity; what is newer comes first, and of one time what has the lower id */
export type NewestLinksQuestion = {
  ids: readonly string[]
  audiences: readonly bigint[]
  each: number
  incoming: boolean
}

/**
 * The newest links of these entities, each relationship type of a link on its own (ADR 222); those of one entity stand
 * together and in order. They come one after another and `each` of them are kept, so that a million of one entity take the
 * memory of a few.
 */
export const newestLinks = ({ ids, audiences, each, incoming }: NewestLinksQuestion): Query => ({
  sql: `SELECT entity_id, one.2 AS related_id, one.3 AS mode, one.4 AS outgoing, one.5 AS relationship, one.6 AS first,
      -one.1 AS last
    FROM (SELECT entity_id,
        groupArraySorted(${Math.trunc(each)})((-last, related_id, mode, outgoing, relationship, first)) AS newest
      FROM (SELECT key, entity_id, related_id, toString(mode) AS mode, outgoing, toString(relationship) AS relationship,
        toUnixTimestamp64Milli(min(first_seen)) AS first, toUnixTimestamp64Milli(max(last_seen)) AS last
      FROM associations
      WHERE key IN {keys:Array(UInt64)} AND entity_id IN {ids:Array(String)} AND related_id != entity_id
        AND audience IN {audiences:Array(UInt64)} ${incoming ? '' : 'AND outgoing = 1'}
      GROUP BY key, entity_id, related_id, mode, outgoing, relationship
      SETTINGS optimize_aggregation_in_order = 1)
      GROUP BY entity_id)
    ARRAY JOIN newest AS one`,
  params: { keys: ids.map(entityKey), ids, audiences },
})

/** What tells whether an end may be named, and how. */
export type EndRow = Pick<EntityRow, 'entity_id' | 'type' | 'value' | 'audience' | 'version' | 'well_known'>

/** Type and value of these entities in each of these audiences, outdated versions among them: `latestRows` keeps the last. */
export const endRows = (ids: readonly string[], audiences: readonly bigint[]): Query => ({
  sql: `SELECT entity_id, type, value, audience, version, well_known FROM entities
    PREWHERE key IN {keys:Array(UInt64)} WHERE audience IN {audiences:Array(UInt64)}`,
  params: { keys: [...new Set(ids.map(entityKey))], audiences },
})
