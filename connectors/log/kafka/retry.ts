import { retry } from '../../../platform/retry.ts'

export const PAUSE_MS = 250

/**
 * Tries again for `forMs` what a broker refuses for the moment: one that has just started loads its groups first, and
 * partitions that were just made change their leader.
 */
export const retryRefused = <T>(forMs: number, work: () => Promise<T>): Promise<T> =>
  retry(work, { pausesMs: [PAUSE_MS], forMs, shouldRetry: mayPass })

/**
 * Whether the same request may succeed a little later. The client reads watermarks in two steps and fails with a
 * TypeError when another request refreshes what it knows between them.
 */
export const mayPass = (error: unknown): boolean =>
  error instanceof TypeError || (error as { retriable?: boolean }).retriable === true
