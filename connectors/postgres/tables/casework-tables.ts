import type { Generated, GeneratedAlways } from 'kysely'

/** The tables of the store of casework. */
export type CaseworkTables = {
  casework_records: {
    id: string
    kind: string
    customer_id: string
    user_id: string
    /** JSON. */
    content: unknown
    case_id: string | null
    created_at: Date
    updated_at: Date
    /** Ordinal of the entry that is added next; those of removed entries are not given again. */
    next_seq: Generated<number>
    last_entry_at: Date | null
    /** Of a watchlist: since when it is enabled, if not since it was made. */
    enabled_at: Date | null
  }
  /** Items of watchlists, messages and turns of conversations, notes and pinned entities of cases. */
  casework_entries: {
    id: string
    record_id: string
    kind: string
    seq: number
    /** Unique within a record and kind; null for entries that may repeat. */
    key: string | null
    /** JSON. */
    content: unknown
    created_at: Date
    /** tsvector of a turn. */
    words: GeneratedAlways<string | null>
  }
  casework_alert_reads: {
    customer_id: string
    user_id: string
    read_until: Date | null
    read_ids: string[]
    updated_at: Date
  }
  /** What items of watchlists fired for, once for an item, an entity and a UTC day. */
  casework_alerts: {
    id: string
    customer_id: string
    user_id: string
    watchlist_id: string
    item_id: string
    entity_id: string
    entity_type: string
    entity_value: string
    reputation: number
    /** Kind of the item, and what it names. */
    matched_kind: string
    matched_on: string
    count: Generated<number>
    created_at: Date
    last_at: Date
    withdrawn_at: Date | null
    /** Groups that may read what the alert tells. */
    readable_by: string[]
    /** Groups that its reader must be in as well, all of them. */
    needs: Generated<string[]>
    /** Place in `entity.observations` of the record behind its last entry. */
    partition: number
    last_offset: number
    state: Generated<string>
    assignee: string | null
    note: Generated<string>
  }
  /** What an owner, a customer or a user without one, did about an entity. */
  casework_triage: {
    owner_kind: string
    owner_id: string
    entity_id: string
    handled_at: Date | null
    handled_by: string | null
    /** What was seen when it was handled. */
    handled_reputation: number | null
    assignee: string | null
    note: Generated<string>
    updated_at: Date
  }
  /** By partition of `entity.changes` and of the observations behind them: what is below it was looked at. */
  casework_alert_positions: { partition: number; source: number; next_offset: number }
  /** By partition of `match.events`: what is below it was looked at. */
  casework_match_positions: { partition: number; next_offset: number }
  /** Watchlists and users of which something is another, in the order of the commits. */
  casework_watch_moves: {
    id: GeneratedAlways<number>
    watchlist_id: string | null
    user_id: string | null
    at: Generated<Date>
  }
}
