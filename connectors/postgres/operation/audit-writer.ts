/** What is recorded beside any change waits here for a moment, within bounds, and is stored together (ADR 278). */

import type { AuditEntry } from '../../../schemas/audit/record.ts'
import type { AuditWriter } from './port.ts'

/** Longest wait of a record. */
const LINGER_MS = 200
const RETRY_MS = 1_000
/** Records that wait while the database is away; more are lost, and counted. */
const MOST_WAITING = 10_000
/** Records of one statement. */
const AT_ONCE = 1_000
const MINUTE_MS = 60_000
/** Refusals of one source, or reads of one subject by one caller, within a minute that have a record each. */
const SINGLE = 10
/** Sources of a minute that are told apart, and readers. */
const MOST_SOURCES = 10_000

export type WriterOptions = {
  store: AuditWriter['store']
  /** Unix milliseconds. */
  now: () => number
  onFailure: (error: Error) => void
  /** So many records were dropped. */
  onLost: (records: number) => void
}

type Tallies = Map<string, { seen: number; last: AuditEntry }>

export type BufferedWriter = AuditWriter & { close(): Promise<void> }

export function bufferedWriter({ store, now, onFailure, onLost }: WriterOptions): BufferedWriter {
  let waiting: AuditEntry[] = []
  // Readers take no place of those who are refused.
  const [refusals, reads]: [Tallies, Tallies] = [new Map(), new Map()]
  let timer: NodeJS.Timeout | undefined
  let minuteEnd: NodeJS.Timeout | undefined
  let writing: Promise<void> | null = null

  function note(entry: AuditEntry): void {
    if (waiting.length >= MOST_WAITING) {
      onLost(1)
      return
    }
    waiting.push(entry)
    later(LINGER_MS)
  }

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, ms).unref()
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, AT_ONCE)
      await store(some)
      waiting = waiting.slice(some.length)
    }
  }

  /** Never rejects: what could not be stored waits on. */
  function flush(): Promise<void> {
    writing ??= write()
      .catch((error: Error) => {
        onFailure(error)
        later(RETRY_MS)
      })
      .finally(() => {
        writing = null
      })
    return writing
  }

  /** What was counted within the minute. */
  function summarise(): void {
    clearTimeout(minuteEnd)
    minuteEnd = undefined
    for (const tallies of [refusals, reads]) {
      for (const { seen, last } of tallies.values()) if (seen > SINGLE) note({ ...last, count: seen - SINGLE })
      tallies.clear()
    }
  }

  const isTold = (tallies: Tallies, source: string): boolean => tallies.has(source) || tallies.size < MOST_SOURCES

  /** Notes it alone, or, of many within a minute, together with the others as `summary`. */
  function count(tallies: Tallies, key: string, alone: AuditEntry, summary: AuditEntry): void {
    minuteEnd ??= setTimeout(summarise, MINUTE_MS - (now() % MINUTE_MS)).unref()
    const seen = (tallies.get(key)?.seen ?? 0) + 1
    tallies.set(key, { seen, last: seen > SINGLE ? summary : alone })
    if (seen <= SINGLE) note(alone)
  }

  return {
    store,
    note,
    refuse(entry, source) {
      const own = `${source} ${entry.action}`
      const isKnown = isTold(refusals, own)
      // Of more sources than are told apart nothing is said but how many refusals there were.
      const last = isKnown ? entry : { ...entry, userID: null, keyID: null, ip: '' }
      // A summary is of several subjects.
      count(refusals, isKnown ? own : entry.action, last, { ...last, subject: '' })
    },
    read(entry) {
      const { userID, keyID, ip, action, subject } = entry
      const own = JSON.stringify([userID, keyID, ip, action, subject])
      if (isTold(reads, own)) count(reads, own, entry, entry)
      else note(entry)
    },
    async close() {
      summarise()
      clearTimeout(timer)
      timer = undefined
      await flush()
      if (waiting.length > 0) await flush()
      clearTimeout(timer)
      if (waiting.length > 0) onLost(waiting.length)
    },
  }
}
