import { pause } from './pause.ts'

type Pauses = {
  /** Milliseconds before the second attempt, the third, and so on; the last one repeats. */
  pausesMs: readonly number[]
  /** Ends the pauses, not an attempt. */
  signal?: AbortSignal
}

/** `attempts`, or `forMs`: no attempt begins after so many milliseconds. */
type Bound = { attempts: number; forMs?: number } | { attempts?: number; forMs: number }

export type RetryOptions = Pauses &
  Bound & {
    /** Whether the same work may succeed the next time; default: always. */
    shouldRetry?: (error: unknown) => boolean
    /** Runs after the failed attempt with this number, counted from 1, before the pause. Its own error ends the retries. */
    beforeRetry?: (error: unknown, attempt: number) => Promise<void>
  }

export type PollOptions = Pauses & { attempts: number }

/** The pause after so many failed attempts, 1 or more. */
export const pauseAfter = (failures: number, pausesMs: readonly number[]): number =>
  pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0

/**
 * Does work again after it failed, with pauses, until it succeeds or its bound is met (ADR 285).
 * @throws the error of the last attempt; the reason of `signal` when that was aborted during a pause
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { pausesMs, signal, attempts = Infinity, forMs = Infinity, shouldRetry = () => true, beforeRetry } = options
  const until = performance.now() + forMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts || performance.now() > until || !shouldRetry(error)) throw error
      await beforeRetry?.(error, attempt)
    }
    await pause(pauseAfter(attempt, pausesMs), signal)
    signal?.throwIfAborted()
  }
}

/**
 * Looks until there is something, with pauses. Null when there was nothing at the last attempt.
 * @throws what `look` throws, and the reason of `signal` when that was aborted during a pause
 */
export async function poll<T>(look: () => Promise<T | null>, options: PollOptions): Promise<T | null> {
  const { attempts, pausesMs, signal } = options
  for (let attempt = 1; ; attempt++) {
    const found = await look()
    if (found !== null || attempt >= attempts) return found
    await pause(pauseAfter(attempt, pausesMs), signal)
    signal?.throwIfAborted()
  }
}
