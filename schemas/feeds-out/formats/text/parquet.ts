import type { FeedFormat } from '../format.ts'

/**
 * Columns of the Parquet file in their order, with their types in ClickHouse, which writes the file by itself
 * (`FORMAT Parquet`): its writer is the one that its users read with, and columns need the whole list at hand.
 */
export const PARQUET_COLUMNS = {
  id: 'String',
  type: 'String',
  value: 'String',
  reputation: 'Int8',
  accuracy: 'UInt8',
  tags: 'Array(String)',
  firstSeen: "DateTime64(3, 'UTC')",
  lastSeen: "DateTime64(3, 'UTC')",
} as const

/** All fields, one row an item (decisions 11.6). Carries every value. */
export const parquet: FeedFormat = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  extension: 'parquet',
  readBy: 'pyarrow',
  types: 'any',
  write: null,
}
