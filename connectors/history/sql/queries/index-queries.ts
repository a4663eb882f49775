import type { Query } from '../../port.ts'

/** Rows of entities as columns, in one row: half the time of an object for each. Times are unix milliseconds. */
export type IndexColumns = {
  type: string[]
  value: string[]
  audience: string[]
  version: number[]
  reputation: number[]
  accuracy: number[]
  marks: number[]
  verdict: number[]
  decided: number[]
  until: number[]
  tags: string[][]
  first: number[]
  last: number[]
}

/** A number of 64 bits that a double holds exactly, so that no text is made of it. */
const exact = (sql: string): string => `groupArray(toFloat64(${sql}))`
const time = (column: string): string => exact(`toUnixTimestamp64Milli(${column})`)

/** How many rows of entities there are, outdated versions among them. */
export const rowsToIndex: Query = { sql: 'SELECT toFloat64(count()) AS n FROM entities', params: {} }

/** All rows with keys from `first` to `last`, outdated versions among them; without claims. */
export const indexRows = (first: bigint, last: bigint): Query => ({
  sql: `SELECT groupArray(type) AS type, groupArray(value) AS value, groupArray(audience) AS audience,
      ${exact('version')} AS version, groupArray(reputation) AS reputation, groupArray(accuracy) AS accuracy,
      groupArray(well_known) AS marks, groupArray(verdict) AS verdict, ${time('verdict_at')} AS decided,
      ${time('verdict_until')} AS until, groupArray(tags) AS tags, ${time('first_seen')} AS first,
      ${time('last_seen')} AS last
    FROM entities WHERE key >= {first:UInt64} AND key <= {last:UInt64}
    SETTINGS max_threads = 1`,
  params: { first, last },
})
