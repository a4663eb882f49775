import { closeSync, existsSync, fdatasyncSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { openingLock } from '../../data-folder/opening-lock.ts'
import { placeOf, shareFolder } from '../../data-folder/share.ts'
import type { IndexState } from '../port.ts'

export type IndexTables = {
  /** By the first 16 bytes of the digest of a value (`entry.ts`). */
  entries: Database<Buffer, Buffer>
  /** Values of networks, by the order in which they came. Nothing is ever taken out: whether one is there, its rows say. */
  networks: Database<string, number>
}

export type Environment = IndexTables & {
  state(): IndexState | undefined
  /** Makes the next read see what other processes have written. */
  refresh(): void
  /** Bytes on the disk. */
  bytes(): number
  /** Values that it has an entry of. */
  values(): number
  /**
   * Runs `change` in a write transaction, and keeps the state that it returns. What is written is not flushed: it outlives
   * a process that is killed, and not the machine. Rejects when the disk is full; nothing of it is visible then.
   */
  write(change: () => IndexState): Promise<void>
  close(): Promise<void>
}

const STATE = 'state'
const MIB = 1024 * 1024
/** How long a reader that was killed may keep pages from being used again, in milliseconds. */
const CHECK_MS = 60_000
/** Present while everything that was written is on the disk. */
const FLUSHED = 'flushed'

/** In the types of the library it is missing. Random reads of a large file gain nothing from what lies beside them. */
const NO_READ_AHEAD = { noReadAhead: true } as object

type Kept = { state: IndexState; since: number }

/**
 * Opens the folder of an index, of which one process writes and any number read (ADR 288).
 * @param maxBytes the most that it may take on the disk; null: to read it
 * @throws Error when it cannot be opened, or was not flushed before the machine stopped
 */
export function openEnvironment(folder: string, maxBytes: number | null): Environment {
  const release = shareFolder(folder)
  const lock = openingLock(folder)
  const closed = (): void => {
    lock.close()
    release()
  }
  const writes = maxBytes !== null
  const since = placeOf()
  const { env, tables, meta } = opened()
  const data = join(folder, 'data.mdb')
  const flushed = join(folder, FLUSHED)
  const before = meta.get(STATE)
  if (before !== undefined && before.since !== since && !existsSync(flushed)) {
    void env.close().finally(closed)
    throw new Error(`${folder} was not flushed before the machine stopped`)
  }
  if (writes) rmSync(flushed, { force: true })
  const checking = writes ? setInterval(() => void env.readerCheck(), CHECK_MS).unref() : null

  function opened(): { env: RootDatabase; tables: IndexTables; meta: Database<Kept, string> } {
    try {
      return lock.whileOpening(() => {
        const env = open({
          path: folder,
          noSubdir: false,
          maxDbs: 4,
          maxReaders: 512,
          // Room in the address space alone; more than the bound, which is looked at after each write.
          ...(writes ? { mapSize: maxBytes + 256 * MIB, noSync: true } : { readOnly: true }),
          overlappingSync: false,
          eventTurnBatching: false,
          ...NO_READ_AHEAD,
        })
        const tables: IndexTables = {
          entries: env.openDB<Buffer, Buffer>('entries', { encoding: 'binary', keyEncoding: 'binary' }),
          networks: env.openDB<string, number>('networks', { encoding: 'string', keyEncoding: 'uint32' }),
        }
        return { env, tables, meta: env.openDB<Kept, string>('meta', { encoding: 'json' }) }
      })
    } catch (error) {
      closed()
      throw error
    }
  }

  return {
    ...tables,
    state: () => meta.get(STATE)?.state,
    refresh: () => env.resetReadTxn(),
    bytes: () => statSync(data).size,
    values: () => (tables.entries.getStats() as { entryCount: number }).entryCount,
    write: (change) =>
      lock.whileWriting(async () => {
        env.transactionSync(() => meta.putSync(STATE, { state: change(), since }))
      }),
    async close() {
      if (checking !== null) clearInterval(checking)
      await lock.whileWriting(() => env.close()).finally(closed)
      if (writes) flush(data, flushed)
    },
  }
}

function flush(data: string, flushed: string): void {
  const file = openSync(data, 'r')
  try {
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
  writeFileSync(flushed, '', { flush: true, mode: 0o600 })
}
