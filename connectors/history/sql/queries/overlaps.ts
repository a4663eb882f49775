import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Dim } from '../../../../schemas/intelligence/state/counters.ts'
import type { Query } from '../../port.ts'
import { type Binder, binder } from '../search/binder.ts'
import { foldedRows } from '../search/fold.ts'
import { COLUMNS, IN_FOLDS, IN_VIEWS } from './entities-queries.ts'
import { COUNTERS } from './recount-queries.ts'

/** Entities that stand in more than one of a reader's audiences (design 5; ADR 266). */

/** The audiences of a reader; `own` are those other than public. */
export type OverlapReader = { audiences: readonly bigint[]; own: readonly bigint[] }

/** Keys from the first to the last, both among them. */
export type KeySpan = { first: bigint; last: bigint }

/** What must be added to a counter, so that each entity counts once and with the score that the reader is shown. */
export type CorrectionRow = { dim: Dim; malicious: number; key: string; n: string }

/** An entity by its last sighting, in unix milliseconds. */
export type NewestRow = { key: string; id: string; last: string }

/**
 * Current rows of these entities by key, at most `limit` rows. Few rows of the own audiences lead to the keys, and only
 * those keys are looked at again.
 */
export const overlappingRows = ({ own, audiences }: OverlapReader, limit: number): Query => ({
  sql: `SELECT ${COLUMNS} FROM entities FINAL
    WHERE audience IN {audiences:Array(UInt64)} AND ${IN_FOLDS} AND key IN (
      SELECT key FROM entities
      WHERE audience IN {audiences:Array(UInt64)}
        AND key IN (SELECT key FROM entities WHERE audience IN {own:Array(UInt64)})
      GROUP BY key HAVING uniqExact(audience) > 1)
    ORDER BY key LIMIT {limit:UInt32}`,
  params: { own, audiences, limit },
})

/** Above this size groups spill to disk. */
const SPILL = 'max_bytes_before_external_group_by = 268435456'
const SPAN = 'key >= {first:UInt64} AND key <= {last:UInt64}'

/**
 * Current rows of these entities within the span, which is read by the primary key.
 * @param which narrows the entities further, by what all of their rows have
 */
const overlapping = (which = ''): string => `
  ${SPAN} AND audience IN {audiences:Array(UInt64)} AND (key, digest, type) IN (
    SELECT key, digest, type FROM entities
    WHERE ${SPAN} AND audience IN {audiences:Array(UInt64)}
      AND key IN (SELECT key FROM entities WHERE ${SPAN} AND audience IN {own:Array(UInt64)})
    GROUP BY key, digest, type HAVING uniqExact(audience) > 1${which})`

const spanOf = ({ own, audiences }: OverlapReader, { first, last }: KeySpan, b: Binder) => ({
  ...b.params,
  own,
  audiences,
  first,
  last,
})

/** What all these entities within the span change of the counters: their rows out, their folds in. */
export function overlapCorrection(reader: OverlapReader, span: KeySpan, rules: ScoringRules): Query {
  const b = binder()
  const counted = (n: 1 | -1, rows: string): string =>
    `SELECT reputation < 0 AS negative, arrayJoin(${COUNTERS}) AS counter, toInt64(${n}) AS one FROM (${rows})`
  const rows = `SELECT type, reputation, accuracy, last_seen, tags, country, asn, aso FROM entities FINAL
    WHERE ${overlapping()} AND ${IN_VIEWS}`
  const sql = `SELECT counter.1 AS dim, negative AS malicious, counter.2 AS key, sum(one) AS n FROM (
      ${counted(-1, rows)} UNION ALL ${counted(1, foldedRows(`WHERE ${overlapping()}`, rules, b))})
    GROUP BY dim, malicious, key HAVING n != 0 SETTINGS ${SPILL}`
  return { sql, params: spanOf(reader, span, b) }
}

/** The folds of these entities within the span that were seen last, at or after `since` (unix milliseconds). */
export function newestOverlaps(
  reader: OverlapReader,
  span: KeySpan,
  q: { since: number; maliciousOnly: boolean; limit: number },
  rules: ScoringRules,
): Query {
  const b = binder()
  // A fold was last seen when one of its rows was; outdated rows among them only let more through.
  const seen = ' AND max(last_seen) >= fromUnixTimestamp64Milli({since:Int64})'
  const sql = `SELECT key, concat(type, '-', lower(hex(digest))) AS id, toUnixTimestamp64Milli(last_seen) AS last
    FROM (${foldedRows(`WHERE ${overlapping(seen)}`, rules, b)})
    WHERE last_seen >= fromUnixTimestamp64Milli({since:Int64}) ${q.maliciousOnly ? 'AND reputation < 0' : ''}
    ORDER BY last DESC, id LIMIT {limit:UInt32} SETTINGS ${SPILL}`
  return { sql, params: { ...spanOf(reader, span, b), since: q.since, limit: q.limit } }
}
