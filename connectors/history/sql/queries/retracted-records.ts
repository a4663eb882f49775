import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { MARK_SOURCE } from '../../../../schemas/intelligence/state/stored.ts'
import type { Query } from '../../port.ts'

/** Which records of a page of history do not count any more (decisions 17.3). Times are unix milliseconds. */

export type RetractedWindowRow = {
  id: string
  audience: string
  source: string
  first: string
  last: string
  offset: string
}

const WINDOW = `entity_id AS id, audience, source, toUnixTimestamp64Milli(first) AS first,
      toUnixTimestamp64Milli(last) AS last, log_offset AS offset`

/** What was retracted about these entities in these audiences, of whichever source; usually nothing. */
export const retractedWindows = (entityIds: readonly string[], audiences: readonly bigint[]): Query => ({
  sql: `SELECT ${WINDOW}
    FROM retractions WHERE key IN {keys:Array(UInt64)} AND entity_id IN {ids:Array(String)}
      AND audience IN {audiences:Array(UInt64)} AND source != '${MARK_SOURCE}'`,
  params: { keys: [...new Set(entityIds.map(entityKey))], ids: entityIds, audiences },
})

/**
 * What was ever retracted, in all audiences, marks among it. For a page of records that the caller may read: only what is of
 * the audience of a record is looked at.
 */
export const allRetractions = (limit: number): Query => ({
  sql: `SELECT ${WINDOW} FROM retractions LIMIT {limit:UInt32}`,
  params: { limit },
})

export type RecordOriginRow = { id: string; source: string; offset: string }

/** Of which source these records are, and where they stand in the log: found by the order of the table. */
export const recordOrigins = (
  records: readonly { id: string; time: string }[],
  audiences: readonly bigint[],
): Query => ({
  sql: `SELECT toString(id) AS id, source, log_offset AS offset FROM history
    WHERE (ts, id) IN (SELECT fromUnixTimestamp64Milli(place.1, 'UTC'), place.2
        FROM (SELECT arrayJoin(arrayZip({times:Array(Int64)}, {ids:Array(UUID)})) AS place))
      AND audience IN {audiences:Array(UInt64)}`,
  params: { times: records.map(({ time }) => BigInt(time)), ids: records.map(({ id }) => id), audiences },
})
