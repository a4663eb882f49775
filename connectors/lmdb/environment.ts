import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, type DatabaseOptions, type Key, open, type RootDatabase } from 'lmdb'
import { openingLock } from '../data-folder/opening-lock.ts'
import { placeOf, shareFolder } from '../data-folder/share.ts'
import { complete, isWhole } from './whole.ts'

/** A folder of LMDB with a state that is written together with its tables. */
export type Environment<State> = {
  state(): State | undefined
  /** Makes the next read see what other processes have written. */
  refresh(): void
  /** Bytes on the disk. */
  bytes(): number
  /**
   * Runs `change` in a write transaction, and keeps the state that it returns. Rejects when the disk is full; nothing of it
   * is visible then.
   */
  write(change: () => State): Promise<void>
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

type Kept<State> = { state: State }

/** Opens a table of the folder, or makes it where it is written. */
export type OpenTable = <Value, Index extends Key>(name: string, options: DatabaseOptions) => Database<Value, Index>

export type EnvironmentOptions = {
  /** The most that it may take on the disk; null: to read it. */
  maxBytes: number | null
  /**
   * Whether each write is flushed, and outlives a stop of the machine. Else it outlives a process that is killed, and the
   * folder is Unusable after the machine stopped without a clean end.
   */
  durable: boolean
}

/** A folder that nothing can be read of any more: it is made anew. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/**
 * Opens a folder of which one process writes and any number read (ADR 288).
 * @param tablesOf opens its tables, of which there are three at most
 * @throws Unusable when it is not there to be read, is damaged, or was not flushed before the machine stopped; Error when it
 * cannot be opened now
 */
export function openEnvironment<State, Tables>(
  folder: string,
  { maxBytes, durable }: EnvironmentOptions,
  tablesOf: (open: OpenTable) => Tables,
): Environment<State> & Tables {
  const writes = maxBytes !== null
  const [data, flushed, since] = [join(folder, 'data.mdb'), join(folder, FLUSHED), join(folder, SINCE)]
  const isThere = existsSync(data)
  if (!isThere && !(writes && existsSync(folder))) throw new Unusable(`${folder} has no data`)
  const release = shareFolder(folder)
  const lock = openingLock(folder)
  const closed = (): void => {
    lock.close()
    release()
  }
  const { env, tables, meta } = opened()
  let ending: Promise<void> | null = null
  const checking = writes ? setInterval(() => void env.readerCheck(), CHECK_MS).unref() : null

  function opened(): { env: RootDatabase; tables: Tables; meta: Database<Kept<State>, string> } {
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
          noSync: !durable,
          overlappingSync: false,
          eventTurnBatching: false,
          ...NO_READ_AHEAD,
        })
        // In the types of the library it is missing.
        const created = { create: writes } as object
        const root = env
        const table: OpenTable = (name, options) => root.openDB(name, { ...options, ...created })
        return { env, tables: tablesOf(table), meta: table<Kept<State>, string>('meta', { encoding: 'json' }) }
      })
    } catch (error) {
      void env?.close()
      closed()
      throw error
    }
  }

  function check(): void {
    const isOfNow = durable || (existsSync(since) && readFileSync(since, 'utf8') === String(placeOf()))
    if (!isOfNow && !existsSync(flushed)) throw new Unusable(`${folder} was not flushed before the machine stopped`)
    if (!isWhole(data)) throw new Unusable(`${data} is damaged`)
  }

  /** From now on not all is on the disk, whenever the machine stops. */
  function begin(): void {
    if (durable) return
    writeFileSync(since, String(placeOf()), { flush: true, mode: 0o600 })
    rmSync(flushed, { force: true })
    flush(folder)
  }

  return {
    ...tables,
    state: () => meta.get(STATE)?.state,
    refresh: () => env.resetReadTxn(),
    bytes: () => statSync(data).size,
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
    if (!writes || durable || !existsSync(data)) return
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
