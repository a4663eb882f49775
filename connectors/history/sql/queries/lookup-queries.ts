import type { Query } from '../../port.ts'
import { MANY_AT_ONCE, type RecentRow } from './entities-queries.ts'
import { readable } from './entity-keys.ts'

export type LookedUp = RecentRow

/** Rows by key, as far as a reputation shows them, in the audiences of one reader. @param keys as `keyBytes` makes them */
export const lookedUpRows = (keys: Buffer, audiences: readonly bigint[]): Query =>
  readable(
    `type, value, audience, version, reputation, accuracy, well_known, tags,
      toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last`,
    keys,
    audiences,
    { many: [MANY_AT_ONCE] },
  )
