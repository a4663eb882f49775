import { setTimeout as sleep } from 'node:timers/promises'

export const PAUSE_MS = 250

/**
 * Tries again what a broker refuses for the moment, as long as `until` (of `performance.now()`) is not over: one that
 * has just started loads its groups first, and partitions that were just made change their leader.
 */
export async function retryTransient<T>(until: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Whether the same again may go well. The client reads watermarks in two steps and stumbles (TypeError) when another question refreshes what it knows between them. */
export const isTransient = (error: unknown): boolean =>
  error instanceof TypeError || (error as { retriable?: boolean }).retriable === true
