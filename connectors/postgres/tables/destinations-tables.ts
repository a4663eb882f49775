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
    /** null: all of the user's. */
    watchlists: string[] | null
    digest: string
    public_only: boolean
    secret: string
    confirmed_at: Date | null
    /** Id of the code that was mailed last. */
    code_id: string | null
    tested_at: Date | null
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
}
