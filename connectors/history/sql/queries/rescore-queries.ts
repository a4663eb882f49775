import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Query } from '../../port.ts'
import { inOrder, timesInOrder } from './columns-in-order.ts'
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

const CLAIMS = `${inOrder('entity_id')} AS id, ${inOrder('type')} AS type, ${inOrder('toString(audience)')} AS audience,
      ${inOrder('reputation')} AS reputation, ${inOrder('accuracy')} AS accuracy, ${inOrder('well_known')} AS marks,
      ${inOrder('verdict')} AS verdict, ${timesInOrder('verdict_at')} AS decided,
      ${timesInOrder('verdict_until')} AS until,
      ${timesInOrder('scored_at')} AS scored, ${inOrder('claims.source')} AS source,
      ${inOrder('claims.kind')} AS kind, ${inOrder('claims.trust')} AS trust, ${inOrder('claims.reputation')} AS said,
      ${inOrder('arrayMap(t -> toFloat64(t), claims.at)')} AS at`

export const claimsBetween = ({ first, last }: KeyRange): Query => ({
  sql: `SELECT ${CLAIMS} FROM entities FINAL WHERE ${BETWEEN}`,
  params: { first, last },
})

export type UntoldColumns = ClaimColumns & { value: string[] }

/** The same of the rows that no record from these offsets (by partition) on has changed, with their values. */
export const untoldBetween = ({ first, last }: KeyRange, since: readonly number[]): Query => ({
  sql: `SELECT ${CLAIMS}, ${inOrder('value')} AS value FROM entities FINAL
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
