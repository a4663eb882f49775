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
  harrier_rate_limited_total: {
    kind: 'counter',
    help: 'Requests refused because a limit was exhausted or the feature disabled, by the first key of the route.',
    labels: ['service', 'feature'],
  },
  harrier_ingest_observations_total: {
    kind: 'counter',
    help: 'Observations that accepted submissions put on the log, by kind.',
    labels: ['kind'],
  },
  harrier_job_records_total: {
    kind: 'counter',
    help: 'Observations that were applied, by what became of them: kept, repeat, skipped (applied before), dead.',
    labels: ['outcome'],
  },
  harrier_job_batch_records: {
    kind: 'histogram',
    help: 'Records of one batch of the observation job.',
    labels: [],
    buckets: [1, 10, 100, 1_000, 5_000, 10_000, 25_000, 50_000],
  },
  harrier_job_batch_seconds: {
    kind: 'histogram',
    help: 'Time of one batch of the observation job, from its first record in hand to the last row stored.',
    labels: [],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_job_batch_age_seconds: {
    kind: 'histogram',
    help: 'Age of the oldest record of a batch once all of it is stored: how far answers are behind reports.',
    labels: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600],
  },
  harrier_history_insert_seconds: {
    kind: 'histogram',
    help: 'Time of one insert into the history store, by table.',
    labels: ['table'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_counts_drift: {
    kind: 'gauge',
    help: 'Sum of the differences between the counters and the last recount of the entities; 0 unless something is wrong.',
    labels: [],
  },
  harrier_consumer_lag: {
    kind: 'gauge',
    help: 'Records of a partition that a consumer group has not committed yet.',
    labels: ['group', 'topic', 'partition'],
  },
  harrier_dead_letters: {
    kind: 'gauge',
    help: 'Records that stand in a dead-letter topic.',
    labels: ['topic'],
  },
  harrier_outbox_published_total: {
    kind: 'counter',
    help: 'Events of accounts that this process brought to the log, repeats included.',
    labels: [],
  },
  harrier_outbox_pending: {
    kind: 'gauge',
    help: 'Events of accounts that are stored and not on the log yet; counted up to 10,000.',
    labels: [],
  },
  harrier_outbox_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest of them; 0 when there is none.',
    labels: [],
  },
} as const satisfies Record<string, Declared>

export type MetricName = keyof typeof METRICS
