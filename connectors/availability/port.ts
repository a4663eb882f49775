/** Whether a store is there at all, as whoever waits for its answers sees it. */

/** A store that does not answer, or that cannot be reached: nothing was wrong with the question. */
export class StoreUnavailable extends Error {
  constructor(store: string, reason: string, options?: { cause?: unknown }) {
    super(`${store} ${reason}`, options)
    this.name = 'StoreUnavailable'
  }
}

/** A store that is there and did not finish what it was asked in the time of a question: asked less, or later, it may. */
export class StoreSlow extends Error {
  constructor(store: string, reason: string, options?: { cause?: unknown }) {
    super(`${store} ${reason}`, options)
    this.name = 'StoreSlow'
  }
}

export interface Availability {
  /**
   * Runs what waits for the store. While the store is away it is not begun, and what runs when the store goes away is
   * given up: its signal is aborted and it rejects at once, whether it heeds the signal or not.
   * @throws StoreUnavailable, the reason of `given`, or what the work throws
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T>
  /** Looks no more; what runs is left to itself. */
  close(): void
}
