import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Stated } from '../../../../schemas/intelligence/observations/relation.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'

/** A relation as one of its ends has it. Times are unix milliseconds as text. */
export type RelationRow = {
  related_id: string
  mode: LinkMode
  /** 1: the queried end stated it. */
  outgoing: number
  /** Those of the reader's audiences that it was stated to. */
  audiences: string[]
  /** The types that it was stated with, sorted; `MAX_TYPES` of them at most. */
  relationships: string[]
  first: string
  last: string
}

export type RelationSearch = {
  id: string
  audiences: readonly bigint[]
  /** Types of the other end; null for every type. */
  types: readonly string[] | null
}

/** Relationship types that a read shows of one link: a producer may state a new one with every report. */
export const MAX_TYPES = 50

const TYPES = `arraySort(groupUniqArrayIf(${MAX_TYPES})(relationship, relationship != '')) AS relationships`

/** An id ends with `-` and a digest of 64 characters; what is before is the type. */
const OF_TYPES = 'AND substring(related_id, 1, length(related_id) - 65) IN {types:Array(String)}'

/**
 * Rows of one entity stand together and in the order of the groups, so that each group is finished before the next one
 * begins: an entity with a million relations is counted in the memory of a few. No entity is related to itself, whatever a
 * producer says.
 */
const relationsOf = (what: string, q: RelationSearch): string => `SELECT ${what}
    FROM associations WHERE key = {key:UInt64} AND entity_id = {id:String} AND related_id != entity_id
      AND audience IN {audiences:Array(UInt64)} ${q.types === null ? '' : OF_TYPES}
    GROUP BY key, entity_id, related_id, mode, outgoing`

const IN_ORDER = 'SETTINGS optimize_aggregation_in_order = 1'

const paramsOf = (q: RelationSearch): Record<string, unknown> => ({
  key: entityKey(q.id),
  id: q.id,
  audiences: q.audiences,
  ...(q.types === null ? {} : { types: q.types }),
})

/** One page of an entity's relations, newest first; ties by the other end. */
export const relationsPage = (q: RelationSearch, limit: number, offset: number): Query => ({
  sql: `${relationsOf(
    `related_id, mode, outgoing, groupUniqArray(audience) AS audiences, ${TYPES},
      toUnixTimestamp64Milli(min(first_seen)) AS first, toUnixTimestamp64Milli(max(last_seen)) AS last`,
    q,
  )}
    ORDER BY last DESC, related_id, mode, outgoing LIMIT {limit:UInt32} OFFSET {offset:UInt64} ${IN_ORDER}`,
  params: { ...paramsOf(q), limit, offset },
})

/** How many relations an entity has. */
export const relationsCount = (q: RelationSearch): Query => ({
  sql: `SELECT count() AS relations FROM (${relationsOf('related_id', q)}) ${IN_ORDER}`,
  params: paramsOf(q),
})

export type NeighbourRow = { entity_id: string; related_id: string }

/**
 * Neighbours of several entities, those of the newest relations first: at most `each` of one entity, `limit` in all.
 */
export const neighbours = (
  ids: readonly string[],
  audiences: readonly bigint[],
  { each, limit }: { each: number; limit: number },
): Query => ({
  sql: `SELECT entity_id, related_id FROM associations
    WHERE key IN {keys:Array(UInt64)} AND entity_id IN {ids:Array(String)} AND related_id != entity_id
      AND audience IN {audiences:Array(UInt64)}
    GROUP BY key, entity_id, related_id
    ORDER BY max(last_seen) DESC, related_id, entity_id
    LIMIT {each:UInt32} BY entity_id LIMIT {limit:UInt32} ${IN_ORDER}`,
  params: { keys: ids.map(entityKey), ids, audiences, each, limit },
})

/** A relation in the direction in which it was stated. */
export type LinkRow = {
  entity_id: string
  related_id: string
  mode: LinkMode
  relationships: string[]
  last: string
}

/** Relations with both ends among these entities, each once, newest first. */
export const linksAmong = (ids: readonly string[], audiences: readonly bigint[], limit: number): Query => ({
  sql: `SELECT entity_id, related_id, mode, ${TYPES}, toUnixTimestamp64Milli(max(last_seen)) AS last
    FROM associations
    WHERE key IN {keys:Array(UInt64)} AND entity_id IN {ids:Array(String)} AND related_id IN {ids:Array(String)}
      AND related_id != entity_id AND outgoing = 1 AND audience IN {audiences:Array(UInt64)}
    GROUP BY key, entity_id, related_id, mode
    ORDER BY last DESC, entity_id, related_id, mode LIMIT {limit:UInt32}`,
  params: { keys: ids.map(entityKey), ids, audiences, limit },
})

/** A link as its naming end stated it; `version` is the lowest that the readable audiences have of it. */
export type FirstLinkRow = { entity_id: string; related_id: string; mode: LinkMode; version: string }

/**
 * When each of these links, in any mode, was first stated by its naming end to these audiences. They are looked up by their
 * places in the table, however many others an entity names; of what is read there the keys are compared first, which cost
 * little.
 */
export const firstLinks = (links: readonly Stated[], audiences: readonly bigint[]): Query => ({
  sql: `SELECT entity_id, related_id, mode, min(first_version) AS version FROM associations
    PREWHERE key IN {keys:Array(UInt64)}
    WHERE (key, entity_id, related_id) IN (SELECT link.1, link.2, link.3 FROM (SELECT arrayJoin(
        arrayZip({keys:Array(UInt64)}, {ids:Array(String)}, {ends:Array(String)})) AS link))
      AND related_id != entity_id AND outgoing = 1 AND audience IN {audiences:Array(UInt64)}
    GROUP BY entity_id, related_id, mode`,
  params: {
    keys: links.map(({ source }) => entityKey(source)),
    ids: links.map(({ source }) => source),
    ends: links.map(({ target }) => target),
    audiences,
  },
})
