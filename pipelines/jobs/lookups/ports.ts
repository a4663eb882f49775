import type { IndexStore } from '../../../connectors/lookups/port.ts'
import type { ChangeLog } from '../../../connectors/operations/changes/port.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'

/** The tables that are live, and what is read of them. */
export type LiveTables = {
  database: string
  /** Every entity, in parts by the digest of its value, smallest first. */
  scan(): AsyncIterable<IndexedEntity[]>
  /** All rows of these entities as they are stored now. */
  stored(entityIds: readonly string[]): Promise<IndexedEntity[]>
}

export type KeepIndexPorts = {
  indexes: IndexStore
  changes: Pick<ChangeLog, 'kept' | 'follow'>
  live(): Promise<LiveTables>
  /** The last change before an offset of a partition, and the id of its observation. */
  changeBefore(partition: number, offset: number): Promise<{ offset: number; observationId: string } | null>
  /** Resolves once what the changes before these offsets say is stored. */
  stored(before: readonly number[]): Promise<void>
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

/** How the index came to its end: other tables are live, it is too large, or nobody asks for it any more. */
export type IndexEnd = 'other tables' | 'too large' | 'unwanted' | 'stopped'
