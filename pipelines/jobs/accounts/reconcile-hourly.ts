import { setTimeout as sleep } from 'node:timers/promises'
import type { Reconciliation } from '../../../connectors/postgres/lifecycle/port.ts'

const EVERY_MS = 60 * 60_000
const LOOK_MS = 60_000

export type HourlyPorts = {
  found: Pick<Reconciliation, 'takeTurn'>
  now: () => number
  run: () => Promise<unknown>
  onFailure: (error: Error) => void
}

/** Runs once an hour, in one of the processes that would. */
export function reconcileHourly({ found, now, run, onFailure }: HourlyPorts): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      // Before the first look too: a start has better things to do.
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        if (await found.takeTurn(now(), EVERY_MS)) await run()
      } catch (error) {
        onFailure(error as Error)
      }
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
