import type { MetricDeclaration } from './declaration.ts'

/** Of knowledge that leaves the platform: webhooks, feeds, alerts, and matches with what sensors send. */
export const OUTGOING_METRICS = {
  harrier_webhook_tries_total: {
    kind: 'counter',
    help: 'Webhook delivery attempts of this process, by outcome: delivered, status (a response other than 2xx), or the reason for no response.',
    labels: ['outcome'],
  },
  harrier_webhook_try_seconds: {
    kind: 'histogram',
    help: 'Duration of a webhook delivery attempt, from the DNS look-up to the response.',
    labels: [],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_webhooks_dead_total: {
    kind: 'counter',
    help: 'Webhooks that failed permanently: their last delivery attempt by this process failed.',
    labels: [],
  },
  harrier_webhooks_waiting: {
    kind: 'gauge',
    help: 'Webhooks waiting for delivery or a retry; counted up to 10,000.',
    labels: [],
  },
  harrier_webhooks_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest waiting webhook; 0 if there is none. Above 800 the delivery is later than its retry schedule.',
    labels: [],
  },
  harrier_alert_delivery_tries_total: {
    kind: 'counter',
    help: 'Attempts of this process to deliver an alert or a digest, by kind of destination and outcome: delivered, status (a response other than 2xx), or the reason for no response.',
    labels: ['kind', 'outcome'],
  },
  harrier_alert_delivery_try_seconds: {
    kind: 'histogram',
    help: 'Duration of an attempt to deliver an alert or a digest.',
    labels: [],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  harrier_alert_deliveries_dead_total: {
    kind: 'counter',
    help: 'Deliveries of alerts that failed permanently: their last attempt by this process failed.',
    labels: [],
  },
  harrier_alert_deliveries_waiting: {
    kind: 'gauge',
    help: 'Alerts and digests waiting for delivery or a retry; counted up to 10,000.',
    labels: [],
  },
  harrier_alert_deliveries_overdue_seconds: {
    kind: 'gauge',
    help: 'How long the destination of alerts that has been due longest has waited for a process; 0 if none is due. Pauses after failures, digests and storms are not counted.',
    labels: [],
  },
  harrier_feeds_held: {
    kind: 'gauge',
    help: 'Held feeds: their list does not change until it is released, by holder: guard (a change was larger than the guard of the feed allows), owner.',
    labels: ['by'],
  },
  harrier_watch_items: {
    kind: 'gauge',
    help: 'Items of watchlists that this process compares with each change; those of users without a membership are left out.',
    labels: [],
  },
  harrier_alerts_total: {
    kind: 'counter',
    help: 'Alerts that this process stored, by outcome: made, repeated (counted up on the same day), withdrawn.',
    labels: ['outcome'],
  },
  harrier_collection_objects_total: {
    kind: 'counter',
    help: 'Versions of objects that this process added to the TAXII collections of feeds.',
    labels: [],
  },
  harrier_collection_write_seconds: {
    kind: 'histogram',
    help: 'Seconds until a block of objects of TAXII collections was stored.',
    labels: [],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
  },
  harrier_telemetry_events_total: {
    kind: 'counter',
    help: 'Events of telemetry that this process read, by outcome: new, repeat (its id was known), dead.',
    labels: ['outcome'],
  },
  harrier_telemetry_batch_seconds: {
    kind: 'histogram',
    help: 'Seconds from the first event of a batch in the log until its matches were written.',
    labels: [],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
  },
  harrier_matches_total: {
    kind: 'counter',
    help: 'Matches that this process wrote, by direction: forward, retro.',
    labels: ['direction'],
  },
  harrier_match_indicators: {
    kind: 'gauge',
    help: 'Values and networks that telemetry is compared with in this process; those that were removed since the process read them are counted too.',
    labels: [],
  },
} as const satisfies Record<string, MetricDeclaration>
