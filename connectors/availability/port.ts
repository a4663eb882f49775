/** Whether a store answers, as the code that waits for its answers sees it. */

/** The store does not answer or cannot be reached. The query itself was valid. */
export class StoreUnavailable extends Error {
  constructor(store: string, reason: string, options?: { cause?: unknown }) {
    super(`${store} ${reason}`, options)
    this.name = 'StoreUnavailable'
  }
}

/**
 * The log does not take or give records at the moment, as while one of its brokers is away: others take over within
 * seconds. What was to be appended may be there all the same.
 */
export class LogUnavailable extends StoreUnavailable {
  constructor(reason: string, options?: { cause?: unknown }) {
    super('the log', reason, options)
    this.name = 'LogUnavailable'
  }
}

/**
 * The store answers, but it did not finish this query within its time limit. A smaller query, or the same one later,
 * may succeed.
 */
export class StoreSlow extends Error {
  constructor(store: string, reason: string, options?: { cause?: unknown }) {
    super(`${store} ${reason}`, options)
    this.name = 'StoreSlow'
  }
}

export interface Availability {
  /**
   * Runs `work`, which waits for the store. While the store is unavailable the work is not started. Work that runs
   * when the store becomes unavailable is given up: its signal is aborted and the promise rejects at once, whether or
   * not the work reacts to the signal.
   * @throws StoreUnavailable, the reason of `given`, or what the work throws
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T>
  /** Stops the health checks. Work that still runs is not interrupted. */
  close(): void
}
