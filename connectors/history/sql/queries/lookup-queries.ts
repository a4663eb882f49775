import type { Query } from '../../port.ts'
import type { RecentRow } from './entities-queries.ts'
import { amongst } from './entity-keys.ts'

/** As `shownRows`: thousands of keys lie in every granule (ADR 266). */
const READ_AT_ONCE = 16 * 1024 * 1024

/** Rows by key, as far as a reputation shows them, in the audiences of one reader. @param keys as `keyBytes` makes them */
export const lookedUpRows = (keys: Buffer, audiences: readonly bigint[]): Query => ({
  sql: `SELECT type, value, audience, version, reputation, accuracy, well_known, tags,
      toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last
    FROM entities PREWHERE ${amongst(keys)}
    WHERE audience IN {audiences:Array(UInt64)}
    SETTINGS preferred_block_size_bytes = ${READ_AT_ONCE}`,
  params: { audiences },
})

export type LookedUp = RecentRow

/**
 * Values of the cidr entities of these audiences that contain an address of these. Every address is cut to every length
 * that the reader has a network of: the cost is addresses times lengths, whatever the number of networks.
 */
export const networksOver = (addresses: readonly string[], audiences: readonly bigint[]): Query => ({
  sql: `SELECT DISTINCT value FROM networks WHERE audience IN {audiences:Array(UInt64)} AND (bits, start) GLOBAL IN (
      SELECT bits, IPv6CIDRToRange(address, bits).1 FROM (SELECT arrayJoin({addresses:Array(IPv6)}) AS address) AS addresses
      CROSS JOIN (SELECT DISTINCT bits FROM networks WHERE audience IN {audiences:Array(UInt64)}) AS lengths)`,
  params: { addresses, audiences },
})
