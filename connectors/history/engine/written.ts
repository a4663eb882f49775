import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from './operation.ts'
import type { EngineSessions } from './sessions.ts'

/**
 * The embedded engine says in a file whether anything was written to it: the name of its start, and a number. Whoever asks
 * it the same question again and again reads the file first, which costs some microseconds in place of a statement (ADR 281).
 */

const NAME = 'written'
/** Digits of the largest safe integer: every number has the same length and replaces the one before. */
const DIGITS = 16

/** The file of an engine over this folder. */
export const writtenFile = (dataDir: string): string => join(dataDir, NAME)

export type WriteCount = {
  /** Something may have been written; called before the writer hears of it. Throws nothing. */
  add(): void
}

/** The engine's own side. Takes the place of what an earlier engine left. */
export function countWrites(dataDir: string): WriteCount {
  const path = writtenFile(dataDir)
  const start = randomUUID()
  let count = 0
  let file: number | null = openSync(path, 'w', 0o600)

  function add(): void {
    if (file === null) return
    try {
      writeSync(file, `${start} ${String(++count).padStart(DIGITS, '0')}`, 0)
    } catch {
      // An old number would be taken for the present one. Without a file everybody asks.
      closeSync(file)
      file = null
      rmSync(path, { force: true })
    }
  }

  add()
  return { add }
}

/** Whether it may change anything: whatever is no read, and a read that begins with names and goes on to insert. */
const writes = ({ lane, sql }: Operation): boolean =>
  lane === 'insert' || (lane === 'read' && /^\s*with\b/i.test(sql) && /\binsert\b/i.test(sql))

/** The same sessions; each write is counted when it has ended, however it did, before its answer is sent. */
export const counted = (sessions: EngineSessions, count: WriteCount): EngineSessions => ({
  ...sessions,
  run(operation, signal, take) {
    const answer = sessions.run(operation, signal, take)
    return writes(operation) ? answer.finally(count.add) : answer
  },
})

/** What the file says now: another text whenever something may have been written. Null where there is none. */
export function readWritten(path: string): string | null {
  try {
    const text = readFileSync(path, 'latin1')
    return text === '' ? null : text
  } catch {
    return null
  }
}
