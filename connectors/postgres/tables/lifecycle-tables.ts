import type { GeneratedAlways } from 'kysely'

/** The tables of the store of account events. */
export type LifecycleTables = {
  /** Events that each handler of account events has handled. */
  handled_events: { handler: string; event_id: string; handled_at: Date }
  /** Events that failed, and those of the same key behind them. */
  lifecycle_retries: {
    seq: GeneratedAlways<number>
    handler: string
    key: string
    event_id: string
    /** The record as it stands on the log, and its place there. */
    record: Buffer
    log_partition: number
    log_offset: number
    log_time: Date
    /** Attempts that failed. */
    attempts: number
    next_at: Date
    reason: string
  }
  /** When a recurring job that runs in one process at a time is due again. */
  job_turns: { name: string; next_at: Date }
}
