import type { Query } from '../../port.ts'
import type { EntityRow } from '../queries/entities-queries.ts'
import { amongst, BY_KEY_ALONE } from '../queries/entity-keys.ts'

const QUARTER = 2n ** 58n

/**
 * Marks of entities with a row at or below a bound, of one of 64 parts of them, as base64 of little-endian numbers: the
 * halves as `pushMark` gives them, the first one high.
 */
export const indicatorMarks = (part: number, lte: number, types: readonly string[]): Query => ({
  sql: `SELECT base64Encode(unhex(arrayStringConcat(groupArray(hex(reinterpretAsFixedString(mark)))))) AS marks FROM (
      SELECT DISTINCT bitOr(bitShiftLeft(toUInt64(murmurHash3_32(value)), 32), toUInt64(murmurHash2_32(value))) AS mark
      FROM entities
      WHERE key >= {first:UInt64} AND key <= {last:UInt64} AND reputation <= {lte:Int8} AND type IN {types:Array(String)})`,
  params: { first: BigInt(part) * QUARTER, last: (BigInt(part) + 1n) * QUARTER - 1n, lte, types },
})

export const indicatorNetworks = (lte: number): Query => ({
  sql: 'SELECT DISTINCT value FROM networks WHERE reputation <= {lte:Int8}',
  params: { lte },
})

/** What a match shows of a row, and what selectors ask of it; without the digest, which nothing compresses. */
export type PresentRow = Pick<
  EntityRow,
  | 'type'
  | 'value'
  | 'audience'
  | 'version'
  | 'reputation'
  | 'accuracy'
  | 'well_known'
  | 'tags'
  | 'country'
  | 'asn'
  | 'first'
  | 'last'
>

/** @param keys as `keyBytes` makes them */
export const presentRows = (keys: Buffer): Query => ({
  sql: `SELECT type, value, audience, version, reputation, accuracy, well_known, tags, country, asn,
      toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last
    FROM entities PREWHERE ${amongst(keys)}
    ${BY_KEY_ALONE}`,
  params: {},
})
