import type { Dim } from '../../../../schemas/intelligence/state/counters.ts'
import type { Query } from '../../port.ts'

export type CountRow = { dim: Dim; malicious: number; key: string; n: string }

/** All counters of one dimension with few keys (`cell`, `day`), added up over the reader's audiences. */
export const counters = (audiences: readonly bigint[], dims: readonly Dim[]): Query => ({
  sql: `SELECT dim, malicious, key, sum(n) AS n FROM counts
    WHERE audience IN {audiences:Array(UInt64)} AND dim IN {dims:Array(String)}
    GROUP BY dim, malicious, key HAVING n != 0`,
  params: { audiences, dims },
})

/**
 * The largest counters of dimensions with many keys, `limit` of each, and besides every counter named in `touched`:
 * those the caller is about to correct, and which may come into or fall out of the first `limit` by it.
 */
export const topCounters = (q: {
  audiences: readonly bigint[]
  dims: readonly Dim[]
  maliciousOnly: boolean
  touched: readonly string[]
  limit: number
}): Query => ({
  sql: `SELECT dim, key, sum(n) AS total FROM counts
    WHERE audience IN {audiences:Array(UInt64)} AND dim IN {dims:Array(String)}
      ${q.maliciousOnly ? 'AND malicious = 1' : ''}
    GROUP BY dim, key HAVING total > 0
    ORDER BY dim, has({touched:Array(String)}, key) DESC, total DESC, ${NATURAL_KEY}
    LIMIT {limit:UInt32} BY dim`,
  params: { audiences: q.audiences, dims: q.dims, touched: q.touched, limit: q.limit + q.touched.length },
})

/** Ties go by key, AS numbers as numbers (decisions 5.1). */
const NATURAL_KEY = `if(dim = 'asn', toUInt64OrZero(key), 0), key`
