/** The table of what became of envelopes. */
export type InboxTables = {
  inbox_statuses: {
    id: string
    /** User id. */
    poster: string
    /** JSON text. */
    status: string
    expires_at: Date
  }
}
