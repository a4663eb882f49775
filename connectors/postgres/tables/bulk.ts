/** The table of the store of bulk requests. */
export type BulkTables = {
  bulk_requests: {
    caller: string
    /** SHA-256 of the idempotency key. */
    key_hash: Buffer
    started_at: Date
    /** Who has the key now; null: nobody. */
    attempt: string | null
    lease_until: Date
    groups: string[]
    bytes: number
    digest: Buffer
    lines: number
    /** First and last of each range, one after another. */
    limited: number[]
    offsets: number[]
    finished: boolean
  }
}
