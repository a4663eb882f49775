import type { Drift, ObservationStore } from '../connectors/history/port.ts'
import type { EventLog } from '../connectors/log/port.ts'
import type { Metrics } from '../connectors/metrics/port.ts'
import type { Outbox } from '../connectors/outbox/port.ts'
import type { BatchReport } from '../pipelines/jobs/observations.ts'
import { deadTopic, OBSERVATIONS, SUBMISSIONS } from '../schemas/topics.ts'

/** What the jobs tell of their work; plain data, as it may come from another process. */
export type JobNews = { batch: BatchReport } | { inserted: string; seconds: number } | { drift: Drift }

/** Takes the news of a job into the metrics. */
export function recordNews({ instruments: m }: Metrics, news: JobNews): void {
  if ('inserted' in news) {
    m.harrier_history_insert_seconds.observe({ table: news.inserted }, news.seconds)
    return
  }
  if ('drift' in news) {
    m.harrier_counts_drift.set(news.drift.difference)
    return
  }
  const { records, kept, repeats, skipped, dead, took, age } = news.batch
  m.harrier_job_records_total.inc({ outcome: 'kept' }, kept)
  m.harrier_job_records_total.inc({ outcome: 'repeat' }, repeats)
  m.harrier_job_records_total.inc({ outcome: 'skipped' }, skipped)
  m.harrier_job_records_total.inc({ outcome: 'dead' }, dead)
  m.harrier_job_batch_records.observe(records)
  m.harrier_job_batch_seconds.observe(took / 1000)
  m.harrier_job_batch_age_seconds.observe(Math.max(0, age) / 1000)
}

const WRITES = ['audiences', 'history', 'associations', 'counts', 'entities'] as const

/** The same store, telling how long each write took. */
export function timedStore(
  store: ObservationStore,
  now: () => number,
  tell: (news: JobNews) => void,
): ObservationStore {
  const timed = { ...store }
  for (const table of WRITES) {
    const write = store[table] as (rows: never, token: string, earlier?: string) => Promise<void>
    timed[table] = async (rows: unknown, token: string, earlier?: string) => {
      const began = now()
      await write(rows as never, token, earlier)
      // Nothing was sent, so nothing was timed.
      if (sizeOf(rows) === 0) return
      tell({ inserted: table, seconds: (now() - began) / 1000 })
    }
  }
  return timed
}

const sizeOf = (rows: unknown): number => (rows instanceof Map ? rows.size : (rows as { length: number }).length)

const GROUPS = [
  { group: 'observe', topic: OBSERVATIONS },
  { group: 'expand', topic: SUBMISSIONS },
]

/** Reads lag and dead letters from the log; called before every exposition. */
export async function measureLog(log: EventLog, { instruments: m }: Metrics): Promise<void> {
  for (const { group, topic } of GROUPS) {
    const [offsets, committed] = await Promise.all([log.offsets(topic), log.committed(group, topic)])
    const positions = new Map(committed.map((c) => [c.partition, c.offset]))
    for (const { partition, low, high } of offsets)
      m.harrier_consumer_lag.set(
        { group, topic, partition: String(partition) },
        high - Math.max(low, positions.get(partition) ?? low),
      )
    const dead = await log.offsets(deadTopic(topic))
    m.harrier_dead_letters.set(
      { topic: deadTopic(topic) },
      dead.reduce((sum, p) => sum + p.high - p.low, 0),
    )
  }
}

const MAX_COUNTED = 10_000

/** Reads what waits in the outbox; called before every exposition. `now` in unix milliseconds. */
export async function measureOutbox(
  outbox: Pick<Outbox, 'backlog'>,
  { instruments: m }: Metrics,
  now: number,
): Promise<void> {
  const { pending, oldest } = await outbox.backlog(MAX_COUNTED)
  m.harrier_outbox_pending.set(pending)
  m.harrier_outbox_oldest_seconds.set(oldest === null ? 0 : Math.max(0, now - oldest) / 1000)
}
