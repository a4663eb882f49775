import type { Generated } from 'kysely'

/** The table of the store of webhook deliveries. */
export type WebhookTables = {
  webhook_deliveries: {
    id: string
    url: string
    host: string
    /** JSON: headers that the caller adds. Emptied when the delivery ends, like the secret. */
    headers: unknown
    secret: string
    body: Buffer
    /** Attempts that began. */
    attempts: Generated<number>
    next_at: Date
    state: Generated<'waiting' | 'delivered' | 'dead'>
    last_error: string | null
    holder: string | null
    lease_until: Generated<Date>
    /** Grows with every lease. */
    fence: Generated<number>
    created_at: Date
    finished_at: Date | null
  }
}
