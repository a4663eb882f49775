import type { IndexStore } from '../../../connectors/lookups/port.ts'
import type { RowLog } from '../../../connectors/operations/rows/port.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'

/** The tables that are live, and every entity of them, in parts by the digest of its value, smallest first. */
export type LiveTables = { database: string; scan(): AsyncIterable<IndexedEntity[]> }

export type KeepIndexPorts = {
  indexes: IndexStore
  rows: RowLog
  live(): Promise<LiveTables>
}

/** What became of the index. */
export type IndexReport = { kind: 'built'; entities: number; took: number } | { kind: 'too large'; bytes: number }

export type KeepIndexOptions = {
  now: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>
  signal: AbortSignal
  /** Most bytes on the disk: beyond them there is no index. */
  maxBytes: number
  /** Whether somebody asks for an index that was begun then, unix milliseconds. */
  wanted: (builtAt: number) => boolean
  report: (news: IndexReport) => void
}

/**
 * How the index came to its end: other tables are live, it lacks a batch, it is too large, or nobody asks for it any more.
 */
export type IndexEnd = 'other tables' | 'missing' | 'too large' | 'unwanted' | 'stopped'
