import type { Query } from '../../port.ts'
import { exactInOrder, inOrder, timesInOrder } from './columns-in-order.ts'

/** Rows of entities as columns, in one row: half the time of an object for each. Times are unix milliseconds. */
export type IndexColumns = {
  type: string[]
  value: string[]
  audience: string[]
  version: number[]
  reputation: number[]
  accuracy: number[]
  best: number[]
  worst: number[]
  marks: number[]
  verdict: number[]
  decided: number[]
  until: number[]
  tags: string[][]
  attributes: Record<string, string>[]
  country: string[]
  asn: number[]
  aso: string[]
  first: number[]
  last: number[]
}

/** How many rows of entities there are, outdated versions among them. */
export const rowsToIndex: Query = { sql: 'SELECT toFloat64(count()) AS n FROM entities', params: {} }

/** All rows with keys from `first` to `last`, outdated versions among them; without claims. */
export const indexRows = (first: bigint, last: bigint): Query => ({
  sql: `SELECT ${inOrder('type')} AS type, ${inOrder('value')} AS value, ${inOrder('audience')} AS audience,
      ${exactInOrder('version')} AS version, ${inOrder('reputation')} AS reputation, ${inOrder('accuracy')} AS accuracy,
      ${inOrder('best')} AS best, ${inOrder('worst')} AS worst, ${inOrder('attributes')} AS attributes,
      ${inOrder('country')} AS country, ${inOrder('asn')} AS asn, ${inOrder('aso')} AS aso,
      ${inOrder('well_known')} AS marks, ${inOrder('verdict')} AS verdict, ${timesInOrder('verdict_at')} AS decided,
      ${timesInOrder('verdict_until')} AS until, ${inOrder('tags')} AS tags, ${timesInOrder('first_seen')} AS first,
      ${timesInOrder('last_seen')} AS last
    FROM entities WHERE key >= {first:UInt64} AND key <= {last:UInt64}
    SETTINGS max_threads = 1`,
  params: { first, last },
})
