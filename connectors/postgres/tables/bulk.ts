import type { Generated } from 'kysely'

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
    bytes: Generated<number>
    digest: Generated<Buffer>
    lines: Generated<number>
    /** First and last of each range, one after another. */
    limited: Generated<number[]>
    offsets: number[]
    finished: Generated<boolean>
  }
}
