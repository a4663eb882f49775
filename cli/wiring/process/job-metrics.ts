import type { CountDrift, ObservationStore } from '../../../connectors/history/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { DeliveryQueue } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { WebhookDeliveries } from '../../../connectors/postgres/scans/webhooks/port.ts'
import type { AlertsReport } from '../../../pipelines/jobs/casework/ports.ts'
import type { CollectionsReport } from '../../../pipelines/jobs/exchange/ports.ts'
import type { BatchReport } from '../../../pipelines/jobs/intelligence/observations.ts'
import type { MatchReport } from '../../../pipelines/jobs/match/ports.ts'

/** What the jobs report of their work; plain data, as it may come from another process. */
export type JobReport =
  | { batch: BatchReport }
  | { inserted: string; seconds: number }
  | { drift: CountDrift }
  | { lost: { group: string; reason: string } }
  | { ticks: number }
  | { delivery: { kind: string; outcome: string; seconds: number } }
  | { deadDeliveries: number }
  | { alerts: AlertsReport }
  | { match: MatchReport }
  | { collections: CollectionsReport }

/** Takes the news of a job into the metrics. */
export function recordReport({ instruments: m }: Metrics, news: JobReport): void {
  if ('inserted' in news) {
    m.harrier_history_insert_seconds.observe({ table: news.inserted }, news.seconds)
    return
  }
  if ('drift' in news) {
    m.harrier_counts_drift.set(news.drift.difference)
    return
  }
  if ('lost' in news) {
    m.harrier_consumer_rejoins_total.inc({ group: news.lost.group })
    return
  }
  if ('ticks' in news) {
    m.harrier_score_reevaluations_total.inc(news.ticks)
    return
  }
  if ('delivery' in news) {
    const { kind, outcome, seconds } = news.delivery
    m.harrier_alert_delivery_tries_total.inc({ kind, outcome })
    m.harrier_alert_delivery_try_seconds.observe(seconds)
    return
  }
  if ('deadDeliveries' in news) {
    m.harrier_alert_deliveries_dead_total.inc(news.deadDeliveries)
    return
  }
  if ('alerts' in news) {
    recordAlerts(m, news.alerts)
    return
  }
  if ('collections' in news) {
    recordCollections(m, news.collections)
    return
  }
  if ('match' in news) {
    recordMatches(m, news.match)
    return
  }
  const { records, kept, repeats, covered, faded, retracted, unmarked, rescored, skipped, dead, took, age } = news.batch
  m.harrier_job_records_total.inc({ outcome: 'kept' }, kept)
  m.harrier_job_records_total.inc({ outcome: 'repeat' }, repeats)
  m.harrier_job_records_total.inc({ outcome: 'covered' }, covered)
  m.harrier_job_records_total.inc({ outcome: 'faded' }, faded)
  m.harrier_job_records_total.inc({ outcome: 'retracted' }, retracted)
  m.harrier_job_records_total.inc({ outcome: 'unmarked' }, unmarked)
  m.harrier_job_records_total.inc({ outcome: 'rescored' }, rescored)
  m.harrier_job_records_total.inc({ outcome: 'skipped' }, skipped)
  m.harrier_job_records_total.inc({ outcome: 'dead' }, dead)
  m.harrier_job_batch_records.observe(records)
  m.harrier_job_batch_seconds.observe(took / 1000)
  m.harrier_job_batch_age_seconds.observe(Math.max(0, age) / 1000)
}

function recordAlerts(m: Metrics['instruments'], news: AlertsReport): void {
  if ('held' in news) m.harrier_watch_items.set(news.held)
  else for (const outcome of ALERT_OUTCOMES) m.harrier_alerts_total.inc({ outcome }, news.stored[outcome])
}

function recordMatches(m: Metrics['instruments'], news: MatchReport): void {
  switch (news.kind) {
    case 'events':
      m.harrier_telemetry_events_total.inc({ outcome: 'new' }, news.arrived - news.repeats)
      m.harrier_telemetry_events_total.inc({ outcome: 'repeat' }, news.repeats)
      m.harrier_telemetry_events_total.inc({ outcome: 'dead' }, news.dead)
      m.harrier_matches_total.inc({ direction: 'forward' }, news.forward)
      m.harrier_telemetry_batch_seconds.observe(Math.max(0, news.age) / 1000)
      break
    case 'changes':
      m.harrier_matches_total.inc({ direction: 'retro' }, news.retro)
      break
    case 'index':
      m.harrier_match_indicators.set(news.indicators)
      break
  }
}

function recordCollections(m: Metrics['instruments'], news: CollectionsReport): void {
  if (news.kind !== 'written') return
  m.harrier_collection_objects_total.inc(news.objects)
  m.harrier_collection_write_seconds.observe(news.took / 1000)
}

const ALERT_OUTCOMES = ['made', 'repeated', 'withdrawn'] as const

const WRITES = ['audiences', 'history', 'associations', 'counts', 'retractions', 'entities'] as const

/** The same store, telling how long each write took. */
export function timedStore(
  store: ObservationStore,
  now: () => number,
  report: (news: JobReport) => void,
): ObservationStore {
  const timed = { ...store }
  for (const table of WRITES) {
    const write = store[table] as (rows: never, token: string, earlier?: string) => Promise<void>
    timed[table] = async (rows: unknown, token: string, earlier?: string) => {
      const began = now()
      await write(rows as never, token, earlier)
      // Nothing was sent, so nothing was timed.
      if (sizeOf(rows) === 0) return
      report({ inserted: table, seconds: (now() - began) / 1000 })
    }
  }
  return timed
}

const sizeOf = (rows: unknown): number => (rows instanceof Map ? rows.size : (rows as { length: number }).length)

/** What waits is counted up to so many. */
export const MAX_COUNTED = 10_000

/** Reads which webhooks wait; called before every exposition. `now` in unix milliseconds. */
export async function measureWebhooks(
  webhooks: Pick<WebhookDeliveries, 'backlog'>,
  { instruments: m }: Metrics,
  now: number,
): Promise<void> {
  const { waiting, oldest } = await webhooks.backlog(MAX_COUNTED)
  m.harrier_webhooks_waiting.set(waiting)
  m.harrier_webhooks_oldest_seconds.set(oldest === null ? 0 : Math.max(0, now - oldest) / 1000)
}

/** Reads which alerts wait to be delivered; called before every exposition. `now` in unix milliseconds. */
export async function measureDeliveries(
  queue: Pick<DeliveryQueue, 'backlog' | 'nextAt'>,
  { instruments: m }: Metrics,
  now: number,
): Promise<void> {
  m.harrier_alert_deliveries_waiting.set(await queue.backlog(MAX_COUNTED))
  const due = await queue.nextAt()
  m.harrier_alert_deliveries_overdue_seconds.set(due === null ? 0 : Math.max(0, now - due) / 1000)
}
