import type { Generated } from 'kysely'

/** The table of the store of scan tasks. */
export type ScanTables = {
  scan_tasks: {
    id: string
    /** The user who requested the scan. */
    user_id: string
    /** `user_id`, while the user has a row in `users`. */
    account_id: string | null
    source: string
    trust: number
    audience: string[]
    target: string
    kind: 'ip' | 'domain'
    priority: 'user' | 'automatic'
    status: 'new' | 'queued' | 'running' | 'done' | 'permanent_failure'
    retries: Generated<number>
    /** How often an administrator requested the scan again. */
    round: Generated<number>
    /** Grows with every lease. */
    fence: Generated<number>
    holder: string | null
    lease_until: Generated<Date>
    webhook_url: string | null
    /** JSON: headers that the caller adds to the webhook. */
    webhook_headers: unknown
    webhook_secret: string | null
    /** When `status` last changed. */
    since: Date
    /** When a request for this scan was last stored. */
    asked_at: Date
    created_at: Date
    /** When the first run of the round began. */
    started_at: Date | null
    finished_at: Date | null
    entities: Generated<number>
    error: string | null
  }
}
