/**
 * A lock of the kernel on a small file (ADR 155). Node has no flock; the SQLite that comes with it takes fcntl locks, and
 * a transaction that stays open keeps them. The kernel frees them when the process ends, however it ends, and they hold
 * between containers too, where process numbers and /proc mean nothing.
 *
 * A process must open such a file in no other way: closing any descriptor of it would free the lock.
 */

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long another process may take to look at the lock, milliseconds. */
const LOOK_MS = 500

const BUSY = 5
const FULL = 13

/** Open ones: a connection that the garbage collector took would free its lock. */
const open = new Set<DatabaseSync>()

export type LockFile = {
  /** Takes the lock alone. Returns false while another process, or another part of this one, has it. */
  alone(): boolean
  /** Takes the lock beside others that share it, and returns the number kept in the file; null while one has it alone. */
  shared(): number | null
  /** Replaces the number; the lock must be held alone. */
  write(number: number): void
  /** Frees the lock; the file stays open. */
  free(): void
  close(): void
}

/**
 * Opens the file, or makes it.
 * @param waitMs how long `alone` and `shared` wait in place for the lock, milliseconds
 * @throws Error that names the file and what its file system refuses
 */
export function openLockFile(path: string, waitMs = LOOK_MS): LockFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = withLockError(path, () => new DatabaseSync(path, { timeout: waitMs }))
  open.add(db)
  const run = (sql: string): void => db.exec(sql)
  const number = (): number => (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

  const free = (): void => {
    if (db.isTransaction) run('COMMIT')
  }
  const unlessBusy = <T>(work: () => T): T | null =>
    withLockError(path, () => {
      try {
        return work()
      } catch (error) {
        if (db.isTransaction) run('ROLLBACK')
        if (codeOf(error) === BUSY) return null
        throw error
      }
    })

  return {
    alone: () =>
      unlessBusy(() => {
        run('BEGIN EXCLUSIVE')
        return true
      }) ?? false,
    shared: () =>
      unlessBusy(() => {
        run('BEGIN')
        return number()
      }),
    write: (value) => withLockError(path, () => run(`PRAGMA user_version = ${Math.trunc(value)}`)),
    free: () => withLockError(path, free),
    close() {
      open.delete(db)
      db.close()
    },
  }
}

/** The last byte is the kind of error, those before it the detail. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff

function withLockError<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { message } = error as Error
    const reason =
      codeOf(error) === FULL
        ? `the disk of ${dirname(path)} is full`
        : `${message}: the folder must be writable and on a file system that supports locks`
    throw new Error(`cannot use the lock file ${path}: ${reason}`, { cause: error })
  }
}
