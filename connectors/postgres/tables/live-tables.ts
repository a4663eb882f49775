/** The tables of the store of live streams. */
export type LiveTables = {
  live_places: {
    subject: string
    /** From 1. */
    place: number
    stream_id: string
    lease_until: Date
  }
  live_tickets: {
    /** SHA-256 of the ticket. */
    ticket_hash: Buffer
    caller_kind: string
    user_id: string | null
    /** Id of the session or the key pair. */
    credential_id: string | null
    expires_at: Date
  }
}
