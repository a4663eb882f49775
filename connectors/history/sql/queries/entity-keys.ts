import type { Query } from '../../port.ts'

/** Keys of entities in a statement: the first 8 bytes of their digests. */

/** What of 64-bit keys stands in a query: their bytes, which the engine reads ten times faster than as many numbers. */
export const amongst = (keys: readonly bigint[] | Buffer): string => {
  const bytes = Buffer.isBuffer(keys) ? keys : Buffer.from(BigUint64Array.from(keys).buffer)
  return `key IN (SELECT arrayJoin(reinterpret(base64Decode('${bytes.toString('base64')}'), 'Array(UInt64)')))`
}

/** A few rows by their keys: what the planner tries besides takes an eighth of the time, and finds nothing better. */
const ALONE = `max_threads = 1, optimize_use_projections = 0, use_skip_indexes = 0,
      optimize_move_to_prewhere = 0, query_plan_optimize_lazy_materialization = 0`
export const BY_KEY_ALONE = `SETTINGS ${ALONE}`

/** Where the statement says by itself how it is to be read, no plan is better. Not for one with a statement in it. */
const AS_IT_STANDS = `${ALONE}, query_plan_enable_optimizations = 0`

/**
 * Keys that are bound as a parameter, below what fits into a URL. The text of the statement is then always the same, and
 * the embedded engine has read it before; nor are the keys a query within it. Half of the time for one key.
 */
const FEW = 128

/**
 * Columns of the rows with these keys, of which there is at least one, in the audiences of one reader. Other settings for many
 * keys may be given.
 */
export function readable(
  columns: string,
  keys: readonly bigint[] | Buffer,
  audiences: readonly bigint[],
  { always = [], many = [] }: { always?: readonly string[]; many?: readonly string[] } = {},
): Query {
  const rows = (which: string, settings: readonly string[]): string =>
    `SELECT ${columns} FROM entities PREWHERE ${which}
    WHERE audience IN {audiences:Array(UInt64)}${settings.length > 0 ? `\n    SETTINGS ${settings.join(', ')}` : ''}`
  return Buffer.isBuffer(keys) || keys.length > FEW
    ? { sql: rows(amongst(keys), [...always, ...many]), params: { audiences } }
    : { sql: rows('key IN {keys:Array(UInt64)}', [...always, AS_IT_STANDS]), params: { keys, audiences } }
}
