import type { Query } from '../../port.ts'

/** Questions of the job that lets scores fade; they are no caller's, so all audiences count. */

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
