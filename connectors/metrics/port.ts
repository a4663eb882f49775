/** The declared metrics as instruments, whoever exposes them. */

import type { Counter, Gauge, Histogram } from 'prom-client'
import type { METRICS, MetricName } from '../../platform/metrics/metrics.ts'

type Declared<N extends MetricName> = (typeof METRICS)[N]
type Labels<N extends MetricName> = Declared<N>['labels'][number]
type Instrument<N extends MetricName> = Declared<N>['kind'] extends 'counter'
  ? Counter<Labels<N>>
  : Declared<N>['kind'] extends 'gauge'
    ? Gauge<Labels<N>>
    : Histogram<Labels<N>>

export type Metrics = {
  instruments: { readonly [N in MetricName]: Instrument<N> }
  contentType: string
  /** The whole exposition. */
  text(): Promise<string>
}
