import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { openingLock } from '../../data-folder/opening-lock.ts'
import { placeOf, shareFolder } from '../../data-folder/share.ts'
import type { IndexState } from '../port.ts'
import { complete, isWhole } from './whole.ts'

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
/** Where the process runs that wrote last, and since when its machine does. */
const SINCE = 'since'

/** In the types of the library it is missing. Random reads of a large file gain nothing from what lies beside them. */
const NO_READ_AHEAD = { noReadAhead: true } as object

type Kept = { state: IndexState }

/** An index that nothing can be read of any more: it is made anew. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/**
 * Opens the folder of an index, of which one process writes and any number read (ADR 288).
 * @param maxBytes the most that it may take on the disk; null: to read it
 * @throws Unusable when it is not there to be read, is damaged, or was not flushed before the machine stopped; Error when it
 * cannot be opened now
 */
export function openEnvironment(folder: string, maxBytes: number | null): Environment {
  const writes = maxBytes !== null
  const [data, flushed, since] = [join(folder, 'data.mdb'), join(folder, FLUSHED), join(folder, SINCE)]
  const isThere = existsSync(data)
  if (!isThere && !(writes && existsSync(folder))) throw new Unusable(`${folder} has no index`)
  const release = shareFolder(folder)
  const lock = openingLock(folder)
  const closed = (): void => {
    lock.close()
    release()
  }
  const { env, tables, meta } = opened()
  let ending: Promise<void> | null = null
  const checking = writes ? setInterval(() => void env.readerCheck(), CHECK_MS).unref() : null

  function opened(): { env: RootDatabase; tables: IndexTables; meta: Database<Kept, string> } {
    let env: RootDatabase | undefined
    try {
      return lock.whileOpening(() => {
        if (isThere) check()
        if (writes) begin()
        env = open({
          path: folder,
          noSubdir: false,
          maxDbs: 4,
          maxReaders: 512,
          // Room in the address space alone; more than the bound, which is looked at after each write.
          ...(writes && { mapSize: maxBytes + 256 * MIB }),
          // Readers too: a process opens it once, and one that reads may come to write it.
          noSync: true,
          overlappingSync: false,
          eventTurnBatching: false,
          ...NO_READ_AHEAD,
        })
        // In the types of the library it is missing.
        const created = { create: writes } as object
        const tables: IndexTables = {
          entries: env.openDB<Buffer, Buffer>('entries', { encoding: 'binary', keyEncoding: 'binary', ...created }),
          networks: env.openDB<string, number>('networks', { encoding: 'string', keyEncoding: 'uint32', ...created }),
        }
        return { env, tables, meta: env.openDB<Kept, string>('meta', { encoding: 'json', ...created }) }
      })
    } catch (error) {
      void env?.close()
      closed()
      throw error
    }
  }

  function check(): void {
    const isOfNow = existsSync(since) && readFileSync(since, 'utf8') === String(placeOf())
    if (!isOfNow && !existsSync(flushed)) throw new Unusable(`${folder} was not flushed before the machine stopped`)
    if (!isWhole(data)) throw new Unusable(`${data} is damaged`)
  }

  /** From now on not all is on the disk, whenever the machine stops. */
  function begin(): void {
    writeFileSync(since, String(placeOf()), { flush: true, mode: 0o600 })
    rmSync(flushed, { force: true })
    flush(folder)
  }

  return {
    ...tables,
    state: () => meta.get(STATE)?.state,
    refresh: () => env.resetReadTxn(),
    bytes: () => statSync(data).size,
    values: () => (tables.entries.getStats() as { entryCount: number }).entryCount,
    write: (change) =>
      lock.whileWriting(async () => {
        env.transactionSync(() => meta.putSync(STATE, { state: change() }))
      }),
    close: () => (ending ??= end()),
  }

  async function end(): Promise<void> {
    if (checking !== null) clearInterval(checking)
    await lock.whileWriting(() => env.close()).finally(closed)
    // It may be deleted at any time.
    if (!writes || !existsSync(data)) return
    complete(data)
    flush(data)
    writeFileSync(flushed, '', { flush: true, mode: 0o600 })
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
