import type { DuePosition, Query } from '../../port.ts'

/** Questions of the job that lets scores fade (ADR 269, ADR 266); they are no caller's, so all audiences count. */

/** Which tables are asked, and their clock. */
export const tablesAsked: Query = {
  sql: 'SELECT currentDatabase() AS generation, toUnixTimestamp64Milli(now64(3)) AS clock',
  params: {},
}

/**
 * Keys that are to be looked at after a position until `now` (unix milliseconds), in the order of `due_keys`: candidates,
 * of which the current rows decide. Reads the lines in between, whatever the number of entities.
 */
export const keysDueAfter = ({ at, key }: DuePosition, now: number, limit: number): Query => ({
  sql: `SELECT toUnixTimestamp64Milli(at) AS moment, key FROM due_keys
    WHERE at >= fromUnixTimestamp64Milli({at:Int64}) AND at <= fromUnixTimestamp64Milli({now:Int64})
      AND (at, key) > (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {key:UInt64})
    ORDER BY at, key LIMIT {limit:UInt32}`,
  params: { at, key, now, limit },
})

/** The first moment after a time (unix milliseconds) at which a key is to be looked at. Reads the lines around it. */
export const nextDueAfter = (time: number): Query => ({
  sql: `SELECT toUnixTimestamp64Milli(at) AS moment FROM due_keys
    WHERE at > fromUnixTimestamp64Milli({time:Int64}) ORDER BY at LIMIT 1`,
  params: { time },
})

/**
 * Keys after `after`, `to` the last, in order, of rows that were due at `now` (unix milliseconds) in some version: candidates, of which
 * the current rows decide. Reads one column of the table, from the key on.
 */
export const dueKeys = ({ after, to }: { after: bigint; to: bigint }, now: number, limit: number): Query => ({
  sql: `SELECT key FROM entities
    WHERE key > {after:UInt64} AND key <= {to:UInt64}
      AND due > fromUnixTimestamp64Milli(0) AND due <= fromUnixTimestamp64Milli({now:Int64})
    ORDER BY key LIMIT 1 BY key LIMIT {limit:UInt32}`,
  params: { after, to, now, limit },
})

/** Of these keys the entities of which a row is due for some audience. */
export const dueEntities = (keys: readonly bigint[], now: number): Query => ({
  sql: `SELECT DISTINCT concat(type, '-', lower(hex(digest))) AS id, type, value FROM (
      SELECT type, digest, value FROM entities WHERE key IN {keys:Array(UInt64)}
      GROUP BY key, digest, type, value, audience
      HAVING argMax(due, version) > fromUnixTimestamp64Milli(0)
        AND argMax(due, version) <= fromUnixTimestamp64Milli({now:Int64}))`,
  params: { keys, now },
})
