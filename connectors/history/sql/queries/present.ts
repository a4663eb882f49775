import type { HistoryRecord } from '../../../../schemas/intelligence/state/stored.ts'
import type { Query } from '../../port.ts'

/**
 * Marks stand among the counters, so that one block holds both: dimension `batch` of an audience without readers. They
 * add up to 1 while the range of their token may be begun again (ADR 265).
 */
export const BATCH = 'batch'

export const markOf = (token: string): Query => ({
  sql: `SELECT sum(n) AS n FROM counts WHERE audience = 0 AND dim = '${BATCH}' AND key = {token:String}`,
  params: { token },
})

/** Offsets of the history records that are there of these, at least one, all of one partition. */
export const historyOffsets = (records: readonly HistoryRecord[]): Query => {
  const times = records.map((r) => r.observation.observedAt)
  const offsets = records.map((r) => r.offset)
  const least = (of: readonly number[]): number => of.reduce((a, b) => Math.min(a, b))
  const most = (of: readonly number[]): number => of.reduce((a, b) => Math.max(a, b))
  return {
    // Times are the order of the table; offsets are in no index.
    sql: `SELECT log_offset AS offset FROM history
      WHERE ts >= fromUnixTimestamp64Milli({first:Int64}) AND ts <= fromUnixTimestamp64Milli({last:Int64})
        AND topic_partition = {partition:UInt16} AND log_offset >= {from:UInt64} AND log_offset <= {to:UInt64}`,
    params: {
      first: least(times),
      last: most(times),
      partition: records[0]!.partition,
      from: least(offsets),
      to: most(offsets),
    },
  }
}
