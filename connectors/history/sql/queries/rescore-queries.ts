import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Query } from '../../port.ts'
import { COLUMNS } from './entities-queries.ts'

/** Keys from the first to the last, both among them. */
export type KeyRange = { first: bigint; last: bigint }

/**
 * Current rows of all entities with these keys, as far as a score needs them, column by column (`npm run bench -- rescore` has both ways
 * of reading). Times as floats: numbers, not text, and exact.
 */
export type ClaimColumns = {
  id: string[]
  type: string[]
  audience: string[]
  reputation: number[]
  accuracy: number[]
  marks: number[]
  verdict: number[]
  decided: number[]
  until: number[]
  scored: number[]
  source: string[][]
  kind: SourceKind[][]
  trust: number[][]
  said: (number | null)[][]
  at: number[][]
}

const BETWEEN = 'key >= {first:UInt64} AND key <= {last:UInt64}'

const CLAIMS = `groupArray(entity_id) AS id, groupArray(type) AS type, groupArray(toString(audience)) AS audience,
      groupArray(reputation) AS reputation, groupArray(accuracy) AS accuracy, groupArray(well_known) AS marks,
      groupArray(verdict) AS verdict, groupArray(toFloat64(toUnixTimestamp64Milli(verdict_at))) AS decided,
      groupArray(toFloat64(toUnixTimestamp64Milli(verdict_until))) AS until,
      groupArray(toFloat64(toUnixTimestamp64Milli(scored_at))) AS scored, groupArray(claims.source) AS source,
      groupArray(claims.kind) AS kind, groupArray(claims.trust) AS trust, groupArray(claims.reputation) AS said,
      groupArray(arrayMap(t -> toFloat64(t), claims.at)) AS at`

export const claimsBetween = ({ first, last }: KeyRange): Query => ({
  sql: `SELECT ${CLAIMS} FROM entities FINAL WHERE ${BETWEEN}`,
  params: { first, last },
})

export type UntoldColumns = ClaimColumns & { value: string[] }

/** The same of the rows that no record from these offsets (by partition) on has changed, with their values. */
export const untoldBetween = ({ first, last }: KeyRange, since: readonly number[]): Query => ({
  sql: `SELECT ${CLAIMS}, groupArray(value) AS value FROM entities FINAL
    WHERE ${BETWEEN} AND version <= arrayElement({since:Array(UInt64)}, partition + 1)`,
  params: { first, last, since: since.map(BigInt) },
})

/**
 * Whole current rows of the entities with these keys, as `rowsByKey` has them, of the table `from` (a name of ours).
 * @param since of each partition the first version that is of interest; without it all
 */
export const rowsBetween = (from: string, { first, last }: KeyRange, since?: readonly number[]): Query => ({
  sql: `SELECT ${COLUMNS} FROM ${from} FINAL WHERE ${BETWEEN}
    ${since === undefined ? '' : 'AND version > arrayElement({since:Array(UInt64)}, partition + 1)'}`,
  params: { first, last, ...(since && { since: since.map(BigInt) }) },
})
