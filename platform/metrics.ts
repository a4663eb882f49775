/** Every metric: declared once, with its kind and meaning. A part that measures something adds its line here. */

type MetricDeclaration = {
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
  harrier_part_ready: {
    kind: 'gauge',
    help: 'A part that this process needs: 1 while it answers, 0 while it does not. What is read from it keeps its last value meanwhile.',
    labels: ['part'],
  },
  harrier_engine_restarts_total: {
    kind: 'counter',
    help: 'Ends of the embedded engine that were not asked for; each is followed by a start, until it is given up.',
    labels: [],
  },
  harrier_data_free_bytes: {
    kind: 'gauge',
    help: 'Free room of the volume with the data folder; of a process that keeps stores there.',
    labels: [],
  },
  harrier_data_size_bytes: {
    kind: 'gauge',
    help: 'Size of that volume.',
    labels: [],
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
    help: 'Observations that were applied, by what became of them: kept, repeat, covered (took the floor of a mark), faded (by the passing of time), retracted, skipped (applied before), dead.',
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
  harrier_fading_ticks_total: {
    kind: 'counter',
    help: 'Entities that were told that their score is due to fade.',
    labels: [],
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
  harrier_breaker_open: {
    kind: 'gauge',
    help: '1 while the breaker of a consumer group is open: too many records were dead, and it reads no more until somebody closes it.',
    labels: ['group'],
  },
  harrier_sources_alone: {
    kind: 'gauge',
    help: 'Sources that stand alone in a consumer group: too many of their records are dead and become dead letters, which stops nobody.',
    labels: ['group'],
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
  harrier_lifecycle_events_total: {
    kind: 'counter',
    help: 'Events of accounts that this process handled, by handler: applied, repeated (done before), waiting (for another try), dead.',
    labels: ['handler', 'outcome'],
  },
  harrier_lifecycle_waiting: {
    kind: 'gauge',
    help: 'Events of accounts that failed and wait for another try, and those behind them; counted up to 10,000.',
    labels: [],
  },
  harrier_reconciled_total: {
    kind: 'counter',
    help: 'What missed events have left behind, by kind: found, repaired. Dry runs are not counted.',
    labels: ['kind', 'outcome'],
  },
  harrier_webhook_tries_total: {
    kind: 'counter',
    help: 'Tries of webhooks by this process: delivered, status (an answer that is no 2xx), or why there was no answer.',
    labels: ['outcome'],
  },
  harrier_webhook_try_seconds: {
    kind: 'histogram',
    help: 'Time of one try of a webhook, from the look-up of the name to the answer.',
    labels: [],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_webhooks_dead_total: {
    kind: 'counter',
    help: 'Webhooks that this process gave up after their last try.',
    labels: [],
  },
  harrier_webhooks_waiting: {
    kind: 'gauge',
    help: 'Webhooks that are neither delivered nor given up; counted up to 10,000.',
    labels: [],
  },
  harrier_webhooks_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest of them; 0 when there is none. Above 800, one is waiting for more than its pauses.',
    labels: [],
  },
  harrier_scans: {
    kind: 'gauge',
    help: 'Scan tasks by state; counted up to 10,000 of each.',
    labels: ['status'],
  },
  harrier_scans_oldest_queued_seconds: {
    kind: 'gauge',
    help: 'How long the oldest queued scan of a priority has been waiting; 0 when there is none.',
    labels: ['priority'],
  },
  harrier_scan_seconds: {
    kind: 'histogram',
    help: 'Time of one run of a scan by this process, by what came of it: done, queued again, permanent_failure.',
    labels: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  harrier_automatic_scans_total: {
    kind: 'counter',
    help: 'New entities that call for a scan, by what this process did: scheduled, met (a task lives), late (older than a day).',
    labels: ['outcome'],
  },
  harrier_scan_retries_total: {
    kind: 'counter',
    help: 'Scans that this process queued again after a failed, dead or stuck run.',
    labels: [],
  },
} as const satisfies Record<string, MetricDeclaration>

export type MetricName = keyof typeof METRICS
