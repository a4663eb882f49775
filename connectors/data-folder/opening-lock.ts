/**
 * Keeps those who open an LMDB folder from those who write to it (ADR 245). An open reads the number of the last commit
 * and then sets it for all processes; a commit of another process between the two would be lost after it was
 * acknowledged, and the next ones could damage the file.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { openLockFile } from './lock-file.ts'

/** How long the writes that are under way may take, and how long another process may take to open, milliseconds. */
const WAIT_MS = 10_000
/** Writes that follow each other closely keep the lock this long; then who opens has a turn. */
const KEPT_MS = 200
/** A pause of this length ends that: to take the lock again costs more than it does to keep it. */
const IDLE_MS = 5
const PAUSE_MS = 1

/** Folders that this thread has open, with how often: LMDB opens a folder once in a process, and shares it after that. */
const open = new Map<string, number>()

export type OpeningLock = {
  /**
   * Runs `work`, which opens the folder and the databases in it, while no other process opens it or writes to it. It
   * waits in place; not at all where this thread has the folder open already.
   * @throws Error that names the folder when the writes of others do not end
   */
  whileOpening<T>(work: () => T): T
  /**
   * Runs `work`, which writes to the folder or closes it, while no other process opens it. Others write meanwhile. Work
   * begins in the order of the calls.
   */
  whileWriting<T>(work: () => Promise<T>): Promise<T>
  /** Call it when nothing runs any more. */
  close(): void
}

/**
 * The lock for `folder`; its file lies beside the folder.
 * @param waitMs how long an open waits for writes, and a write for an open, milliseconds
 */
export function openingLock(folder: string, waitMs = WAIT_MS): OpeningLock {
  const path = `${folder}.opening`
  const busy = (what: string) => new Error(`${folder}: another process has been ${what} it for ${waitMs / 1000} s`)
  const file = openLockFile(path, 0)
  let inside = 0
  let left = Promise.withResolvers<void>()
  let taken: Promise<void> | null = null
  let due = Number.POSITIVE_INFINITY
  let closed = false
  const idle = setTimeout(() => inside === 0 && !closed && free(), IDLE_MS).unref()

  async function take(): Promise<void> {
    const late = performance.now() + waitMs
    due = Number.POSITIVE_INFINITY
    try {
      while (file.shared() === null) {
        if (performance.now() > late) throw busy('opening')
        await sleep(PAUSE_MS)
      }
    } catch (error) {
      taken = null
      throw error
    }
    due = performance.now() + KEPT_MS
  }

  function free(): void {
    file.free()
    taken = null
  }

  return {
    whileOpening(work) {
      const times = open.get(folder) ?? 0
      open.set(folder, times + 1)
      if (times > 0) return work()
      const opener = openLockFile(path, waitMs)
      try {
        if (!opener.alone()) throw busy('opening or writing')
        return work()
      } finally {
        opener.free()
        opener.close()
      }
    },
    async whileWriting(work) {
      while (inside > 0 && performance.now() >= due) await left.promise
      if (inside === 0 && performance.now() >= due) free()
      inside++
      try {
        taken ??= take()
        await taken
        return await work()
      } finally {
        if (--inside === 0) {
          left.resolve()
          left = Promise.withResolvers()
          idle.refresh()
        }
      }
    },
    close() {
      const times = open.get(folder) ?? 0
      if (times > 1) open.set(folder, times - 1)
      else open.delete(folder)
      closed = true
      clearTimeout(idle)
      file.close()
    },
  }
}
