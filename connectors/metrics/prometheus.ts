/** The declared metrics as Prometheus instruments. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricDeclaration } from '../../platform/metrics/declaration.ts'
import { METRICS } from '../../platform/metrics/metrics.ts'
import { DEFAULT_RESOLUTION_MS, lagWhenAsked } from './event-loop-lag.ts'
import type { Metrics } from './port.ts'

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
