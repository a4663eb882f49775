import type { Generated } from 'kysely'

/** The tables of the queue of deliveries (ADR 263). */
export type DeliveryTables = {
  delivery_queues: {
    /** That of the destination, or of the only delivery. */
    id: string
    kind: 'scan' | 'alert'
    /** Of the URL; empty for mail. */
    host: string
    /** When there may be something to do next; null: nothing waits. */
    due_at: Date | null
    /** Fresh alerts are gathered until then. */
    gather_until: Date | null
    /** Digests in a row that a storm made. */
    storms: Generated<number>
    /** Alerts up to this `seq` were begun, alone or in a digest. */
    begun_to: Generated<number>
    /** When the deliveries of the last minute began. */
    recent: Generated<Date[]>
    holder: string | null
    lease_until: Generated<Date>
    /** Grows with every lease. */
    fence: Generated<number>
  }
  deliveries: {
    id: string
    queue_id: string
    seq: Generated<number>
    /** null: a digest, or the webhook of a scan. */
    alert_id: string | null
    /** Of a digest: it carries the alerts after the one, up to the other. */
    after_seq: number | null
    to_seq: number | null
    /** How many it carries. */
    alerts: Generated<number>
    /** What the receiver knows a repeat by. */
    message_id: string
    /** A fresh alert up to `begun_to` is in a digest, and fares as that does. */
    state: Generated<'fresh' | 'trying' | 'delivered' | 'dead' | 'skipped'>
    /** Later alerts do not wait for it any more. */
    passed: Generated<boolean>
    /** Tries that began. */
    attempts: Generated<number>
    next_at: Date
    last_error: string | null
    note: string | null
    created_at: Date
    finished_at: Date | null
    /** Of a webhook, as are the others below; null of an alert. */
    url: string | null
    /** JSON: headers that the caller adds. Emptied when the delivery ends, like the secret. */
    headers: unknown
    secret: string | null
    body: Buffer | null
  }
}
