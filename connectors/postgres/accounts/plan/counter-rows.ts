/** The counters as the store of all processes keeps them; the leases of one process stand before it. */

import type { Counter, Subject, Usage } from './port.ts'

/** `units` were lent and count as taken; `granted` is what the store has given out of the window since it began. */
export type Loan = { units: number; granted: number }

export interface CounterRows {
  /**
   * Lends `need` units, or more up to `wish` while a small share of what is left covers them; fewer when fewer are left,
   * null when none are. Never more than `limit` are given out in one window.
   */
  lend(counter: Counter, limit: number, need: number, wish: number): Promise<Loan | null>
  takeBack(counter: Counter, units: number): Promise<void>
  usage(subject: Subject, at: number): Promise<Usage[]>
  /** Removes windows that ended before a time (Unix milliseconds), at most a few thousand; answers how many. */
  purge(before: number): Promise<number>
}

/** A wish above the need gets at most this share of what is left: other processes find the rest. */
export const SHARE = 16
