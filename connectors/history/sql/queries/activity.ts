import type { Query } from '../../port.ts'

/** `day` is `YYYY-MM-DD` in UTC. */
export type ActivityRow = { day: string; records: string }

/** History records of one entity by UTC day, from `since` (unix milliseconds) on. */
export const activityByDay = (
  entity: { type: string; digest: string },
  audiences: readonly bigint[],
  since: number,
): Query => ({
  sql: `SELECT toString(toDate(ts)) AS day, count() AS records FROM history
    WHERE ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND digest = unhex({digest:String})
      AND type = {entityType:String} AND audience IN {audiences:Array(UInt64)}
    GROUP BY day ORDER BY day`,
  params: { since, digest: entity.digest, entityType: entity.type, audiences },
})
