import { retry } from '../../../platform/retry.ts'

export const PAUSE_MS = 250

/**
 * Retries for `forMs` what a broker refuses for a moment: a broker that has just started loads its groups first, and
 * partitions that were just made change their leader.
 */
export const retryTransient = <T>(forMs: number, work: () => Promise<T>): Promise<T> =>
  retry(work, { pausesMs: [PAUSE_MS], forMs, shouldRetry: isTransient })

/**
 * Whether the same request may succeed a moment later. The client reads watermarks in two steps and fails with a
 * TypeError when another request refreshes what the client knows between them.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof TypeError || (error as { retriable?: boolean }).retriable === true
