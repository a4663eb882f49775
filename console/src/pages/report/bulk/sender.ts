import { asProblem } from '../../../api/problem.ts'

export type LineOutcome =
  | { state: 'waiting' | 'sending' }
  | { state: 'accepted'; id: string }
  | { state: 'refused'; reason: string; errorId: string | null }

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
  /** Resolves to the id; rejects with a Problem. */
  send: (body: Record<string, unknown>) => Promise<string>
  sleep: (ms: number) => Promise<void>
  now: () => number
}

const AT_ONCE = 4
/** Attempts for one line while the platform fails or does not answer. */
const TRIES = 3
const BACKOFF_MS = 1_000

/**
 * Sends each job once, a few at a time. A 429 delays all jobs by its `Retry-After`. An unavailable platform pauses the
 * sender, and the line waits again. Requests under way end during a pause, so that no line is sent twice.
 */
export function createSender(jobs: readonly LineBody[], { send, sleep, now }: Ports) {
  const outcomes: LineOutcome[] = jobs.map((job) =>
    typeof job === 'string' ? { state: 'refused', reason: job, errorId: null } : { state: 'waiting' },
  )
  let phase: SendPhase = 'ready'
  let heldUntil: number | null = null
  let stopped: string | null = null
  let workers = 0
  let next = 0
  const counts = { accepted: 0, refused: outcomes.filter(({ state }) => state === 'refused').length, waiting: 0 }
  counts.waiting = jobs.length - counts.refused
  let snapshot: SendProgressState | null = null
  const listeners = new Set<() => void>()

  function notify(): void {
    snapshot = null
    for (const listener of listeners) listener()
  }

  function settle(index: number, outcome: Extract<LineOutcome, { state: 'accepted' | 'refused' }>): void {
    outcomes[index] = outcome
    counts[outcome.state]++
    counts.waiting--
    if (counts.waiting === 0 && phase !== 'cancelled') phase = 'done'
    notify()
  }

  /** The next line that waits; -1: none. */
  function claim(): number {
    while (next < outcomes.length && outcomes[next]!.state !== 'waiting') next++
    return next < outcomes.length ? next : -1
  }

  /** The line waits again; with `why` the sender pauses. */
  function putBack(index: number, why: string | null): void {
    outcomes[index] = { state: 'waiting' }
    next = Math.min(next, index)
    if (why !== null) {
      if (phase === 'sending') phase = 'paused'
      stopped = why
    }
    notify()
  }

  async function sendLine(index: number): Promise<void> {
    outcomes[index] = { state: 'sending' }
    for (let tries = 1; ; tries++) {
      try {
        return settle(index, { state: 'accepted', id: await send(jobs[index] as Record<string, unknown>) })
      } catch (thrown) {
        const { status, message, errorId, retryAfter } = asProblem(thrown)
        if (status === 429 && retryAfter !== null) {
          heldUntil = Math.max(heldUntil ?? 0, now() + retryAfter * 1_000)
          return putBack(index, null)
        }
        if (status === 401) return putBack(index, 'Your session has ended. Sign in again.')
        if (status === 429) return putBack(index, message)
        if (status !== 0 && status < 500) return settle(index, { state: 'refused', reason: message, errorId })
        if (tries === TRIES) return putBack(index, errorId === null ? message : `${message} (error id ${errorId})`)
        await sleep(BACKOFF_MS * tries)
        if (phase !== 'sending') return putBack(index, null)
      }
    }
  }

  async function work(): Promise<void> {
    workers++
    while (phase === 'sending') {
      const wait = (heldUntil ?? 0) - now()
      if (wait > 0) {
        await sleep(Math.min(wait, 1_000))
        continue
      }
      heldUntil = null
      const index = claim()
      if (index < 0) break
      await sendLine(index)
    }
    workers--
    notify()
  }

  return {
    /** Starts, or continues after a pause. */
    start(): void {
      if (phase === 'sending' || phase === 'cancelled' || phase === 'done') return
      phase = counts.waiting === 0 ? 'done' : 'sending'
      stopped = null
      notify()
      for (let more = AT_ONCE - workers; more > 0; more--) void work()
    },
    pause(): void {
      if (phase === 'sending') phase = 'paused'
      notify()
    },
    /** Stops for good. Waiting lines are never sent. */
    cancel(): void {
      if (phase !== 'done') phase = 'cancelled'
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
