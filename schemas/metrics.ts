/** Every metric: declared once, with its kind and meaning. A part that measures something adds its line here. */

type Declared = {
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[]
}

export const METRICS = {
  harrier_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the head of a request to the end of its answer, by declared route; its count is the number of requests.',
    labels: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_http_requests_in_flight: {
    kind: 'gauge',
    help: 'Requests whose answer is not out yet.',
    labels: [],
  },
  harrier_ingest_observations_total: {
    kind: 'counter',
    help: 'Observations that accepted submissions put on the log, by kind.',
    labels: ['kind'],
  },
} as const satisfies Record<string, Declared>

export type MetricName = keyof typeof METRICS
