/** The declared metrics as Prometheus instruments. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricDeclaration } from '../../platform/metrics/declaration.ts'
import { METRICS } from '../../platform/metrics/metrics.ts'
import type { Metrics } from './port.ts'

// How late the event loop is, under the names of prom-client's default metrics, measured only while somebody asks.

/** A timer that wakes the process as often as this, milliseconds, so an idle process must not have it (ADR 281). */
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
const DEFAULT_RESOLUTION_MS = 60 * 60_000

/**
 * Replaces the statistics of the event loop's lag in a registry.
 * @returns sets them, before the registry is read: of the time since the question before, the first of a series of 50 ms
 */
function lagWhenAsked(registry: Registry): () => Promise<void> {
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

/** A registry of its own with every declared metric, and Node's (`process`: memory, CPU, event loop) unless refused. */
export function prometheusMetrics(options: { process: boolean } = { process: true }): Metrics {
  const registry = new Registry()
  let lag: (() => Promise<void>) | undefined
  if (options.process) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DEFAULT_RESOLUTION_MS })
    lag = lagWhenAsked(registry)
  }
  const made = Object.entries(METRICS).map(([name, metric]) => {
    const common = { name, help: metric.help, labelNames: [...metric.labels], registers: [registry] }
    if (metric.kind === 'counter') return [name, new Counter(common)]
    if (metric.kind === 'gauge') return [name, new Gauge(common)]
    return [name, new Histogram({ ...common, buckets: [...metric.buckets] })]
  })
  return {
    // Safe: the kinds and labels are those of METRICS itself.
    instruments: Object.fromEntries(made) as Metrics['instruments'],
    contentType: registry.contentType,
    async text() {
      await lag?.()
      return withFormerNames(await registry.metrics())
    },
  }
}

/** Metrics with a name of before: the lines that are theirs, and what takes the place of the name. */
const RENAMED = Object.entries<MetricDeclaration>(METRICS).flatMap(([name, { formerly }]) =>
  formerly === undefined
    ? []
    : [{ name, formerly, lines: new RegExp(`^(?:# \\w+ )?${name}(?:_bucket|_sum|_count)?[ {]`) }],
)

/** The same text, followed by what was renamed under its name of before, so that rules and dashboards go on. */
function withFormerNames(text: string): string {
  const all = text.split('\n')
  const again = RENAMED.flatMap(({ name, formerly, lines }) =>
    all
      .filter((line) => lines.test(line))
      .map((line) => line.replace(name, formerly).replace(/^(# HELP \S+) .*/, `$1 Deprecated: use ${name}.`)),
  )
  return [text, ...again.map((line) => `${line}\n`)].join('')
}
