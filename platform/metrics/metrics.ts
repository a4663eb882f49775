/** All metrics with kind, help text and labels. A new metric is declared here. */

import type { MetricDeclaration } from './declaration.ts'
import { OUTGOING_METRICS } from './outgoing.ts'

export const METRICS = {
  harrier_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of HTTP requests by declared route, from the request head to the end of the response; of streams and sockets, to the head of the response. The count is the number of requests.',
    labels: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_component_ready: {
    kind: 'gauge',
    formerly: 'harrier_part_ready',
    help: 'Availability of a component that this process needs: 1 available, 0 unavailable. While a component is unavailable, metrics read from it keep their last value.',
    labels: ['part'],
  },
  harrier_engine_restarts_total: {
    kind: 'counter',
    help: 'Unexpected exits of the embedded engine. The supervisor restarts the engine until it gives up.',
    labels: [],
  },
  harrier_data_free_bytes: {
    kind: 'gauge',
    help: 'Free space of the volume that holds the data folder. Only from a process with embedded stores.',
    labels: [],
  },
  harrier_data_size_bytes: {
    kind: 'gauge',
    help: 'Size of the volume that holds the data folder. Only from a process with embedded stores.',
    labels: [],
  },
  harrier_lookup_index_state: {
    kind: 'gauge',
    help: 'The index that look-ups of this host read: 0 switched off, 1 nobody has asked yet, 2 refused because it would be too large, 3 being built, 4 behind the log, 5 current. Below 5 the store answers.',
    labels: [],
  },
  harrier_lookup_index_bytes: {
    kind: 'gauge',
    help: 'Size of the index of look-ups on the disk; 0 without one.',
    labels: [],
  },
  harrier_lookup_index_behind_seconds: {
    kind: 'gauge',
    help: 'Age of what the index of look-ups says; above 2 the store answers. 0 without an index.',
    labels: [],
  },
  harrier_http_requests_in_flight: {
    kind: 'gauge',
    help: 'Requests in progress.',
    labels: [],
  },
  harrier_http_streams_open: {
    kind: 'gauge',
    help: 'Streams and sockets that are open. They are not requests in progress.',
    labels: [],
  },
  harrier_rate_limited_total: {
    kind: 'counter',
    help: 'Requests refused because a rate limit was used up or the feature is disabled, by the first feature key of the route.',
    labels: ['service', 'feature'],
  },
  harrier_ingest_observations_total: {
    kind: 'counter',
    help: 'Observations written to the log by accepted submissions, by kind.',
    labels: ['kind'],
  },
  harrier_job_records_total: {
    kind: 'counter',
    help: 'Observations processed, by outcome: kept, repeat, covered (raised to the floor of a well-known mark), faded (re-evaluated after time passed), retracted, skipped (already processed), dead (dead letter).',
    labels: ['outcome'],
  },
  harrier_job_batch_records: {
    kind: 'histogram',
    help: 'Number of records per batch of the observation job.',
    labels: [],
    buckets: [1, 10, 100, 1_000, 5_000, 10_000, 25_000, 50_000],
  },
  harrier_job_batch_seconds: {
    kind: 'histogram',
    help: 'Duration of a batch of the observation job, from the first record read to the last row stored.',
    labels: [],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_job_batch_age_seconds: {
    kind: 'histogram',
    help: 'Age of the oldest record of a batch when the batch is stored: the delay between a report and its visibility in answers.',
    labels: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600],
  },
  harrier_history_insert_seconds: {
    kind: 'histogram',
    help: 'Duration of an insert into the history store, by table.',
    labels: ['table'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_score_reevaluations_total: {
    kind: 'counter',
    formerly: 'harrier_fading_ticks_total',
    help: 'Re-evaluation records written for entities with a score that is due to fade.',
    labels: [],
  },
  harrier_counts_drift: {
    kind: 'gauge',
    help: 'Sum of the differences between the counters and the last recount of the entities. 0 is normal.',
    labels: [],
  },
  harrier_consumer_lag: {
    kind: 'gauge',
    help: 'Consumer lag: records of a partition that a consumer group has not committed.',
    labels: ['group', 'topic', 'partition'],
  },
  harrier_consumer_rejoins_total: {
    kind: 'counter',
    help: 'Times that consumers of a group joined it again after a lost broker, or after a stall with unread records. Some are normal while a broker is unavailable.',
    labels: ['group'],
  },
  harrier_breaker_open: {
    kind: 'gauge',
    help: '1 while the circuit breaker of a consumer group is open: there were too many dead letters, and the group stays stopped until an operator closes the breaker.',
    labels: ['group'],
  },
  harrier_isolated_sources: {
    kind: 'gauge',
    formerly: 'harrier_sources_alone',
    help: 'Isolated sources of a consumer group: too many of their records became dead letters; the group continues with all other records.',
    labels: ['group'],
  },
  harrier_dead_letters: {
    kind: 'gauge',
    help: 'Records in a dead-letter topic.',
    labels: ['topic'],
  },
  harrier_outbox_published_total: {
    kind: 'counter',
    help: 'Account events that this process wrote to the log, including repeats.',
    labels: [],
  },
  harrier_outbox_pending: {
    kind: 'gauge',
    help: 'Account events in the outbox that are not yet in the log; counted up to 10,000.',
    labels: [],
  },
  harrier_outbox_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest account event in the outbox; 0 if there is none.',
    labels: [],
  },
  harrier_lifecycle_events_total: {
    kind: 'counter',
    help: 'Account events that this process handled, by handler and outcome: applied, repeated (already applied), waiting (for a retry), dead (dead letter).',
    labels: ['handler', 'outcome'],
  },
  harrier_lifecycle_waiting: {
    kind: 'gauge',
    help: 'Account events that wait for a retry, and the later events of the same keys; counted up to 10,000.',
    labels: [],
  },
  harrier_reconciled_total: {
    kind: 'counter',
    help: 'Orphaned resources and wrong counters that missed account events left, by kind and outcome: found, repaired. Dry runs are not counted.',
    labels: ['kind', 'outcome'],
  },
  ...OUTGOING_METRICS,
  harrier_scans: {
    kind: 'gauge',
    help: 'Scan tasks by state; counted up to 10,000 per state.',
    labels: ['status'],
  },
  harrier_scans_oldest_queued_seconds: {
    kind: 'gauge',
    help: 'Waiting time of the oldest queued scan, by priority; 0 if there is none.',
    labels: ['priority'],
  },
  harrier_scan_seconds: {
    kind: 'histogram',
    help: 'Duration of a scan run of this process, by outcome: done, queued again, permanent_failure.',
    labels: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  harrier_automatic_scans_total: {
    kind: 'counter',
    help: 'Automatic scans for new entities, by outcome: scheduled, met (there was a task already), late (the entity is older than a day).',
    labels: ['outcome'],
  },
  harrier_scan_retries_total: {
    kind: 'counter',
    help: 'Scans that this process queued again after a failed, aborted or stuck run.',
    labels: [],
  },
} as const satisfies Record<string, MetricDeclaration>

export type MetricName = keyof typeof METRICS
