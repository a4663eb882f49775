import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { type Database, open } from 'lmdb'
import { endWithin } from '../../data-folder/end-within.ts'
import { openingLock } from '../../data-folder/opening-lock.ts'
import { checkRoom } from '../../data-folder/room.ts'
import { shareFolder } from '../../data-folder/share.ts'
import type { TopicSpec } from '../port.ts'

export type TopicRecord = TopicSpec & { id: number }

/** What a partition knows of itself. */
export type PartitionState = {
  low: number
  /** The offset after the last record: the next one given, and the high watermark. */
  next: number
  /** The highest timestamp ever appended. */
  maxTimestamp: number
  /** Compaction has seen everything below. */
  cleanedTo: number
  /** When the oldest tombstone that compaction left was written; null when it left none. */
  tombstoneSince: number | null
}

export const emptyPartition: PartitionState = { low: 0, next: 0, maxTimestamp: 0, cleanedTo: 0, tombstoneSince: null }

type GroupKey = (string | number)[]
type TableKey = string | number | (string | number)[]

export type Store = {
  topics: Database<TopicRecord, string>
  partitions: Database<PartitionState, number[]>
  frames: Database<Buffer, Buffer>
  groups: Database<unknown, GroupKey>
  /** One of the `tables` that it was opened with, for another connector, values as JSON. @throws Error for any other */
  table<V>(name: string): Database<V, TableKey>
  /**
   * Runs `change` in a write transaction and resolves with its result once that is on the disk. Changes that wait at
   * the same time share a flush. When `change` throws, or the disk is full or refuses, nothing of it is visible and this
   * rejects.
   */
  write<T>(change: () => T): Promise<T>
  /** Resolves once this process has had its turn to write. It writes nothing, so that it needs no free space. */
  ping(): Promise<void>
  /** Makes the next read see what other processes have written, and lets go of the pages the last one held. */
  refresh(): void
  /**
   * Calls `changed` after every commit, of this process and of others, until the store is closed. False where the system
   * refuses to watch a file, as the number of watches is limited: then only looking again finds a commit.
   */
  watch(changed: () => void): boolean
  close(): Promise<void>
}

/**
 * Opens the folder of a log. Any number of processes of one PID namespace may have it open (ADR 155).
 *
 * `overlappingSync: false`: a commit becomes visible, here and in other processes, only after it was flushed; the
 * library's default shows it before. `eventTurnBatching: false`: with it the library keeps a promise of its own for
 * every turn of the event loop, whose rejection on a full disk could not be caught.
 * @param tables names of further databases in it
 */
export function openStore(folder: string, tables: readonly string[] = []): Store {
  const release = shareFolder(folder)
  const lock = openingLock(folder)
  const watchers: FSWatcher[] = []
  const closed = (): void => {
    lock.close()
    release()
  }
  const { env, databases, others } = opened()

  function opened() {
    const json = { encoding: 'json' } as const
    try {
      return lock.whileOpening(() => {
        const env = open({
          path: folder,
          noSubdir: false,
          maxDbs: 16,
          overlappingSync: false,
          eventTurnBatching: false,
        })
        const databases = {
          topics: env.openDB<TopicRecord, string>('topics', json),
          partitions: env.openDB<PartitionState, number[]>('partitions', json),
          frames: env.openDB<Buffer, Buffer>('frames', { encoding: 'binary', keyEncoding: 'binary' }),
          groups: env.openDB<unknown, GroupKey>('groups', json),
        }
        return { env, databases, others: new Map(tables.map((name) => [name, env.openDB(name, json)])) }
      })
    } catch (error) {
      closed()
      throw error
    }
  }

  async function transact<T>(change: () => T): Promise<T> {
    try {
      return await lock.whileWriting(() => endWithin(() => env.childTransaction(change)))
    } catch (error) {
      throw await commitFailure(error, folder)
    }
  }

  return {
    ...databases,
    table<V>(name: string) {
      const table = others.get(name) as Database<V, TableKey> | undefined
      if (table === undefined) throw new Error(`${folder} was opened without the table ${name}`)
      return table
    },
    write: (change) =>
      transact(() => {
        // With the lock of the writer: what other processes commit before is no longer free.
        checkRoom(folder)
        return change()
      }),
    ping: () => transact(() => undefined),
    refresh: () => env.resetReadTxn(),
    watch(changed) {
      try {
        // A commit ends with a write to this file, after everything that it makes visible was flushed (ADR 267).
        const watcher = watch(join(folder, 'data.mdb'), { persistent: false }, changed)
        watcher.on('error', () => undefined)
        watchers.push(watcher)
        return true
      } catch {
        return false
      }
    },
    close() {
      for (const watcher of watchers) watcher.close()
      return lock.whileWriting(() => env.close()).finally(closed)
    },
  }
}

/** lmdb hides the reason of a failed commit in a promise beside the error; unread it would end the process. */
async function commitFailure(error: unknown, folder: string): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<never> }
  if (!commitError) return error
  const cause = await commitError.catch((reason: Error) => reason)
  return new Error(`cannot write ${folder}: ${cause.message}`, { cause })
}
