import { asProblem, type Problem } from '../../../api/problem.ts'
import type { SendLines } from './submit.ts'
import type { Ended, Verdict } from './verdicts.ts'

export type LineOutcome =
  | { state: 'waiting' | 'sending' }
  | { state: 'accepted'; id: string }
  | { state: 'refused'; reason: string }

export type SendPhase = 'ready' | 'sending' | 'paused' | 'cancelled' | 'done'

export type SendProgressState = {
  phase: SendPhase
  /** By place of the line. */
  outcomes: readonly LineOutcome[]
  counts: { accepted: number; refused: number; waiting: number }
  /** Unix milliseconds until which the platform asked to wait (`Retry-After`); null: no wait. */
  heldUntil: number | null
  /** Why the sender paused without the user. */
  stopped: string | null
}

/** A body to send, or the reason why there is none. */
export type LineBody = Record<string, unknown> | string

type Ports = {
  send: SendLines
  /** A new idempotency key. */
  newKey: () => string
  sleep: (ms: number) => Promise<void>
  now: () => number
}

/** Lines that are sent together under one key; sent again, they have the same answers and add nothing. */
type Batch = { key: string; indexes: readonly number[] }

/** Attempts in a row that bring no verdict, while the platform fails or does not answer. */
const TRIES = 3
const BACKOFF_MS = 1_000
/** Lines that find no room in the limit of this minute wait for the next one. */
const WINDOW_MS = 60_000

/**
 * Sends all jobs in one request and takes the verdicts as they come. After a lost connection or a pause the same lines are
 * sent again under the same key, so that none counts twice. A limit delays what is left; an unavailable platform pauses
 * the sender.
 */
export function createSender(jobs: readonly LineBody[], { send, newKey, sleep, now }: Ports) {
  const outcomes: LineOutcome[] = jobs.map((job) =>
    typeof job === 'string' ? { state: 'refused', reason: job } : { state: 'waiting' },
  )
  let phase: SendPhase = 'ready'
  let heldUntil: number | null = null
  let stopped: string | null = null
  let batch: Batch | null = null
  let running = false
  let abort = new AbortController()
  const counts = { accepted: 0, refused: outcomes.filter(({ state }) => state === 'refused').length, waiting: 0 }
  counts.waiting = jobs.length - counts.refused
  let snapshot: SendProgressState | null = null
  const listeners = new Set<() => void>()

  function notify(): void {
    snapshot = null
    for (const listener of listeners) listener()
  }

  function stop(why: string): void {
    if (phase === 'sending') phase = 'paused'
    stopped = why
    notify()
  }

  const isOpen = (index: number): boolean => ['waiting', 'sending'].includes(outcomes[index]!.state)

  function take({ line, id, error }: Verdict, { indexes }: Batch): void {
    const index = indexes[line - 1]
    // A line that is sent again was told before.
    if (index === undefined || !isOpen(index)) return
    // Two names of one thing (docs/integrate/bulk.md).
    if (error?.code === 'rate_limit_exceeded' || error?.code === 'rate_limited') return
    outcomes[index] =
      id === undefined ? { state: 'refused', reason: error?.message ?? 'no reason' } : { state: 'accepted', id }
    counts[id === undefined ? 'refused' : 'accepted']++
    counts.waiting--
    notify()
  }

  function nextBatch(): Batch {
    return { key: newKey(), indexes: [...outcomes.keys()].filter(isOpen) }
  }

  /** One request. Resolves to what went wrong; null: it came to its end. */
  async function sendBatch(of: Batch): Promise<Problem | Extract<Ended, { kind: 'broken' }> | null> {
    for (const index of of.indexes) if (isOpen(index)) outcomes[index] = { state: 'sending' }
    notify()
    abort = new AbortController()
    try {
      const bodies = of.indexes.map((index) => jobs[index] as Record<string, unknown>)
      const ended = await send(bodies, of.key, (verdict) => take(verdict, of), abort.signal)
      return ended.kind === 'whole' ? null : ended
    } catch (thrown) {
      return asProblem(thrown)
    } finally {
      for (const index of of.indexes) if (isOpen(index)) outcomes[index] = { state: 'waiting' }
    }
  }

  async function run(): Promise<void> {
    let tries = 0
    while (phase === 'sending' && counts.waiting > 0) {
      const wait = (heldUntil ?? 0) - now()
      if (wait > 0) {
        await sleep(Math.min(wait, 1_000))
        continue
      }
      heldUntil = null
      batch ??= nextBatch()
      const before = counts.waiting
      const fault = await sendBatch(batch)
      if (phase !== 'sending') break
      if (fault === null) {
        // What the limit left out is sent under another key: under this one it would be left out again.
        batch = null
        tries = 0
        if (counts.waiting > 0) heldUntil = now() + WINDOW_MS
        notify()
        continue
      }
      if (counts.waiting < before) tries = 0
      if ('kind' in fault) {
        if (++tries >= TRIES) stop(fault.reason)
        else await sleep(BACKOFF_MS * tries)
        continue
      }
      const { status, code, message, errorId, retryAfter } = fault
      if ((status === 429 || code === 'in_progress') && retryAfter !== null) {
        heldUntil = now() + retryAfter * 1_000
        notify()
      } else if (status === 401) stop('Your session has ended. Sign in again.')
      else if (status !== 0 && status < 500) stop(message)
      else if (++tries >= TRIES) stop(errorId === null ? message : `${message} (error id ${errorId})`)
      else await sleep(BACKOFF_MS * tries)
    }
    if (phase === 'sending') phase = 'done'
  }

  function begin(): void {
    if (running) return
    running = true
    void run().finally(() => {
      running = false
      notify()
      // Pressed again while the request before was still ending.
      if (phase === 'sending') begin()
    })
  }

  return {
    /** Starts, or continues after a pause. */
    start(): void {
      if (phase === 'sending' || phase === 'cancelled' || phase === 'done') return
      phase = counts.waiting === 0 ? 'done' : 'sending'
      stopped = null
      notify()
      if (phase === 'sending') begin()
    },
    /** Ends the request; lines without a verdict wait, and are sent again under the same key. */
    pause(): void {
      if (phase !== 'sending') return
      phase = 'paused'
      abort.abort()
      notify()
    },
    /** Stops for good. Waiting lines are not sent, but for those that are under way. */
    cancel(): void {
      if (phase === 'done') return
      phase = 'cancelled'
      abort.abort()
      notify()
    },
    progress: (): SendProgressState =>
      (snapshot ??= { phase, outcomes: [...outcomes], counts: { ...counts }, heldUntil, stopped }),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type Sender = ReturnType<typeof createSender>
