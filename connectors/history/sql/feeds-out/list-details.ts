import type { Query } from '../../port.ts'
import { MARK } from '../queries/entities-queries.ts'
import { IN_ORDER, LISTED, OF_EPOCH, READ_ITEM } from './columns-sql.ts'
import type { ListRow } from './lists.ts'

/** Relations of one item that a document says: the newest. */
const RELATIONS_OF_EACH = 100

/** A row of `listOf`, and of the item what a list does not show. */
export type DetailedRow = [
  ...ListRow,
  /** Records of the history. */
  records: string,
  /**
   * Times as negative unix milliseconds, of the last statement; `relationship` empty: stated without a type. The attributes
   * are those of the other end that its ids follow from.
   */
  relations: [
    last: string,
    relatedId: string,
    relationship: string,
    type: string,
    value: string,
    attributes: [name: string, value: string][],
  ][],
  attributes: [name: string, value: string][],
]

/** The key of an entity, from its id as text. */
const KEY_OF_RELATED = 'reinterpretAsUInt64(reverse(unhex(substring(related_id, -64, 16))))'

/** Rows that were not retracted. */
const READABLE = `bitAnd(well_known, ${MARK.retracted}) = 0`

/** What one sort, sum or join holds in memory: of several at once, a million items are within the 1 GiB of an answer. */
const HELD = 64 * 1024 ** 2
/** What has no room goes to the disk. */
const JOINED = `SETTINGS join_algorithm = 'grace_hash', max_bytes_in_join = ${HELD},
      max_bytes_before_external_sort = ${HELD}, max_bytes_before_external_group_by = ${HELD},
      optimize_aggregation_in_order = 1, max_threads = 2, max_block_size = 16384`

/**
 * `listOf` with what a reader may know of each item besides (decisions 15.3): how many records of the history there are,
 * which attributes it has, and which other items of the list it was stated to be related to. Ends that are listed are shown to the reader of the
 * feed, so the audiences of a statement alone say whether it is told. One statement for the whole list: the history has
 * no order by entity, so a statement for a page of items reads as much of it as one for all of them (ADR 274).
 *
 * A step may be stored while the statement runs: then a relation may be missing, or lead to an item that the list has
 * not. The next generation has it right.
 * @param live the database of the entities; the statement runs in that of the lists
 */
export const listWithDetails = (
  { live, feed, epoch }: { live: string; feed: string; epoch: number },
  audiences: readonly bigint[],
): Query => {
  // Those that are gone too: what is joined to the list leaves them out, and rows need not be merged for it.
  const among = (column: string): string => `(SELECT ${column} FROM feed_members WHERE ${OF_EPOCH})`
  const listed = `feed_members FINAL WHERE ${OF_EPOCH} AND state = ${LISTED}`
  const counted = `SELECT concat(type, '-', lower(hex(digest))) AS reported_id, count() AS records FROM ${live}.history
      WHERE digest GLOBAL IN ${among('toFixedString(unhex(substring(entity_id, -64)), 32)')}
        AND audience IN {audiences:Array(UInt64)}
      GROUP BY type, digest`
  // A link has a mode, which no document says: stated with both it is one relation.
  const stated = `SELECT entity_id AS source_id, related_id, toString(relationship) AS said,
        toUnixTimestamp64Milli(max(last_seen)) AS last_said
      FROM ${live}.associations
      WHERE key GLOBAL IN ${among('key')} AND ${KEY_OF_RELATED} GLOBAL IN ${among('key')}
        AND outgoing = 1 AND related_id != entity_id AND audience IN {audiences:Array(UInt64)}
      GROUP BY key, entity_id, related_id, relationship`
  // The latest of each name, of the rows that the reader may see: as `fold` has it, also of two at one time.
  const described = (only: string): string => `SELECT described_id, arraySort(groupArray((name, stated))) AS attributes
      FROM (
        SELECT concat(type, '-', lower(hex(digest))) AS described_id, of.1 AS name, argMax(of.3, (of.2, of.3)) AS stated
        FROM (
          SELECT type, digest, arrayJoin(arrayMap((name, stated) -> (name, attribute_times[name], stated),
            mapKeys(attributes), mapValues(attributes))) AS of
          FROM ${live}.entities FINAL
          WHERE key GLOBAL IN ${among('key')} AND audience IN {audiences:Array(UInt64)} AND ${READABLE}${only}
        )
        GROUP BY type, digest, name
      )
      GROUP BY described_id`
  const related = `SELECT source_id,
        groupArraySorted(${RELATIONS_OF_EACH})((-last_said, related_id, said, other_type, other_value, digests)) AS relations
      FROM (
        SELECT entity_id AS other_id, type AS other_type, value AS other_value, others.attributes AS digests
        FROM (SELECT entity_id, type, value FROM ${listed}) AS ends
        GLOBAL LEFT JOIN (${described(" AND type = 'file'")}) AS others ON others.described_id = ends.entity_id
      ) AS other
      GLOBAL INNER JOIN (${stated}) AS stated ON stated.related_id = other.other_id
      GROUP BY source_id`
  return {
    sql: `SELECT head, ${READ_ITEM}, records, relations, attributes
    FROM (SELECT * FROM feed_members FINAL
      WHERE feed = {feed:UUID} AND epoch = {epoch:UInt64} AND (entity_id = '' OR state = ${LISTED})) AS list
    GLOBAL LEFT JOIN (${counted}) AS counted ON counted.reported_id = list.entity_id
    GLOBAL LEFT JOIN (${related}) AS related ON related.source_id = list.entity_id
    GLOBAL LEFT JOIN (${described('')}) AS described ON described.described_id = list.entity_id
    ORDER BY entity_id != '', ${IN_ORDER} ${JOINED}`,
    params: { feed, epoch, audiences },
  }
}
