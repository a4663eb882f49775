import type { Generated } from 'kysely'

/** The tables of requests that bring entities, and of comments. */
export type IntelligenceTables = {
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
  inbox_statuses: {
    id: string
    /** User id. */
    poster: string
    /** JSON text. */
    status: string
    expires_at: Date
  }
  comments: {
    id: string
    entity_id: string
    comment: string
    /** The user who wrote the comment. */
    user_id: string
    /** `user_id`, while the user has a row in `users`. */
    account_id: string | null
    parent_id: string | null
    audience: string[]
    created_at: Date
  }
}
