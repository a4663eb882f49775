/** Counters of limits where only what matters is said. */

import { randomUUID } from 'node:crypto'
import { type CounterRows, SHARE } from '../../../connectors/postgres/accounts/plan/limit-counters.ts'
import type { Counter } from '../../../connectors/postgres/accounts/plan/port.ts'

export const newCounter = (given: Partial<Counter> = {}): Counter => ({
  subject: { type: 'customer', id: randomUUID() },
  service: 'search-api',
  featureKey: 'history_search_per_minute',
  window: 'minute',
  start: 1_800_000_000_000,
  end: 1_800_000_060_000,
  ...given,
})

/** The rows of one counter in memory; every answer takes a turn of the event loop. `calls` counts the loans. */
export function memoryRows(): CounterRows & { granted: number; calls: number } {
  return {
    granted: 0,
    calls: 0,
    async lend(_counter, limit, need, wish) {
      this.calls++
      const left = limit - this.granted
      const units = Math.min(left, Math.max(need, Math.min(wish, Math.floor(left / SHARE))))
      if (units > 0) this.granted += units
      const loan = units > 0 ? { units, granted: this.granted } : null
      await new Promise((resolve) => setImmediate(resolve))
      return loan
    },
    async takeBack(_counter, units) {
      this.granted = Math.max(0, this.granted - units)
    },
    usage: async () => [],
    purge: async () => 0,
  }
}
