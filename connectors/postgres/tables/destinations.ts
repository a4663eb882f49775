import type { Generated } from 'kysely'

/** The tables of the store of destinations of alerts. */
export type DestinationTables = {
  alert_destinations: {
    id: string
    customer_id: string
    user_id: string
    name: string
    kind: string
    url: string | null
    email: string | null
    /** Of the URL; empty for mail. */
    host: string
    /** null: all of the user's. */
    watchlists: string[] | null
    digest: string
    public_only: boolean
    secret: string
    confirmed_at: Date | null
    /** Id of the code that was mailed last. */
    code_id: string | null
    tested_at: Date | null
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
    created_at: Date
    updated_at: Date
  }
  /** Alerts as everybody reads them, for destinations that are told nothing else. */
  casework_public_alerts: {
    id: string
    customer_id: string
    user_id: string
    watchlist_id: string
    item_id: string
    entity_id: string
    entity_type: string
    entity_value: string
    reputation: number
    matched_kind: string
    matched_on: string
    count: Generated<number>
    created_at: Date
    last_at: Date
    withdrawn_at: Date | null
  }
  alert_deliveries: {
    id: string
    destination_id: string
    seq: Generated<number>
    /** null: a digest. */
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
  }
}
