import { setTimeout as sleep } from 'node:timers/promises'
import type { EventLog } from '../../../connectors/log/port.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { at } from '../../bench/parts/timed.ts'
import { lag } from '../../builders/platform/lag.ts'
import type { Told } from './load.ts'

/** The accepted ones of those that left within [from, to): how many a second, and the 99th percentile in milliseconds. */
export function accepted(
  told: readonly Told[],
  from: number,
  to: number,
): { rate: number; p99: number; count: number } {
  const taken = told.filter((t) => t.fate === 202 && t.at >= from && t.at < to).map(({ took }) => took)
  return {
    rate: (taken.length / (to - from)) * 1000,
    p99: taken.length === 0 ? 0 : at(taken, 0.99),
    count: taken.length,
  }
}

export const now = (): number => performance.now()

/** Milliseconds until the jobs have applied everything but what `left` records of a running load may be. */
export async function caughtUp(url: () => string, left: number, withinMs: number): Promise<number> {
  const began = now()
  while ((await lag(url()).catch(() => Number.POSITIVE_INFINITY)) > left) {
    if (now() - began > withinMs) return Number.POSITIVE_INFINITY
    await sleep(50)
  }
  return now() - began
}

/** Calls `look` every so often until it is told to stop; what it throws is skipped. */
export function sampling<T>(everyMs: number, look: () => Promise<T>): { samples: T[]; stop(): Promise<void> } {
  const samples: T[] = []
  const over = new AbortController()
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const sample = await look().catch(() => undefined)
      if (sample !== undefined) samples.push(sample)
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    samples,
    async stop() {
      over.abort()
      await running
    },
  }
}

/** Milliseconds until the jobs have applied what is in the log now, whatever comes meanwhile. */
export async function applied(log: Pick<EventLog, 'offsets' | 'committed'>, withinMs: number): Promise<number> {
  const began = now()
  const due = new Map((await log.offsets(OBSERVATIONS)).map(({ partition, high }) => [partition, high]))
  for (;;) {
    const done = await log.committed('observe', OBSERVATIONS)
    const positions = new Map(done.map(({ partition, offset }) => [partition, offset ?? 0]))
    if ([...due].every(([partition, high]) => (positions.get(partition) ?? 0) >= high)) return now() - began
    if (now() - began > withinMs) return Number.POSITIVE_INFINITY
    await sleep(50)
  }
}
