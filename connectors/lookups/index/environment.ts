import type { Database } from 'lmdb'
import { type Environment as Folder, openEnvironment as openFolder } from '../../lmdb/environment.ts'
import type { IndexState } from '../port.ts'

export type IndexTables = {
  /** By the first 16 bytes of the digest of a value (`entry.ts`). */
  entries: Database<Buffer, Buffer>
  /** Values of networks, by the order in which they came. Nothing is ever taken out: whether one is there, its rows say. */
  networks: Database<string, number>
}

export type Environment = IndexTables &
  Folder<IndexState> & {
    /** Values that it has an entry of. */
    values(): number
  }

/**
 * Opens the folder of an index. What is written is not flushed: all of it can be made again.
 * @param maxBytes the most that it may take on the disk; null: to read it
 * @throws as the folder
 */
export function openEnvironment(folder: string, maxBytes: number | null): Environment {
  const env = openFolder<IndexState, IndexTables>(folder, { maxBytes, durable: false }, (open) => ({
    entries: open('entries', { encoding: 'binary', keyEncoding: 'binary' }),
    networks: open('networks', { encoding: 'string', keyEncoding: 'uint32' }),
  }))
  return { ...env, values: () => (env.entries.getStats() as { entryCount: number }).entryCount }
}
