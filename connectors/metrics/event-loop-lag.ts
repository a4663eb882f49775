/** How late the event loop is, under the names of prom-client's default metrics, measured only while somebody asks. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

/** A timer that wakes the process as often as this, milliseconds, so an idle process must not have it (ADR 189). */
const RESOLUTION_MS = 10
/** The first question waits for this long, milliseconds: without a measurement there is no value. */
const FIRST_MS = 5 * RESOLUTION_MS
/** After so long without a question the measurement ends, milliseconds; scrapes come every minute or more often. */
const UNASKED_MS = 5 * 60_000

const STATISTICS = {
  min: 'The minimum recorded event loop delay.',
  max: 'The maximum recorded event loop delay.',
  mean: 'The mean of the recorded event loop delays.',
  stddev: 'The standard deviation of the recorded event loop delays.',
  p50: 'The 50th percentile of the recorded event loop delays.',
  p90: 'The 90th percentile of the recorded event loop delays.',
  p99: 'The 99th percentile of the recorded event loop delays.',
}
type Statistic = keyof typeof STATISTICS

const nameOf = (statistic: string): string => `nodejs_eventloop_lag_${statistic}_seconds`

/** The longest interval that prom-client's own monitor takes, which is replaced here: it wakes once an hour. */
export const DEFAULT_RESOLUTION_MS = 60 * 60_000

/**
 * Replaces the statistics of the event loop's lag in a registry.
 * @returns sets them, before the registry is read: of the time since the question before, the first of a series of 50 ms
 */
export function lagWhenAsked(registry: Registry): () => Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let measuring: Promise<void> | undefined
  let idle: NodeJS.Timeout | undefined

  const begin = (): Promise<void> => {
    delays.enable()
    return sleep(FIRST_MS)
  }
  const end = (): void => {
    delays.disable()
    measuring = undefined
  }
  const measured = (statistic: Statistic): number =>
    statistic.startsWith('p') ? delays.percentile(Number(statistic.slice(1))) : delays[statistic as 'min']

  const gauges = (Object.keys(STATISTICS) as Statistic[]).map((statistic): [Statistic, Gauge] => {
    const name = nameOf(statistic)
    registry.removeSingleMetric(name)
    return [statistic, new Gauge({ name, help: STATISTICS[statistic], registers: [registry] })]
  })

  return async () => {
    measuring ??= begin()
    clearTimeout(idle)
    idle = setTimeout(end, UNASKED_MS).unref()
    await measuring
    // Two questions at once: the second finds nothing new.
    if (delays.count === 0) return
    for (const [statistic, gauge] of gauges) gauge.set(measured(statistic) / 1e9)
    delays.reset()
  }
}
