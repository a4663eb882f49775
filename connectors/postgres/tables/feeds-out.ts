/** The tables of the store of feeds that leave the platform. */
export type FeedOutTables = {
  feeds: {
    id: string
    owner_kind: string
    owner_id: string
    made_by: string
    name: string
    description: string
    /** JSON, in normal form. */
    selector: unknown
    /** Of the text of the selector. */
    selector_bytes: number
    /** `accuracy.gte` of the selector. */
    accuracy_from: number | null
    groups: string[]
    cap: number | null
    /** JSON; null: off. */
    guard: unknown
    open: boolean
    revision: number
    created_at: Date
    updated_at: Date
  }
  feed_tokens: {
    id: string
    /** SHA-256 of the token. */
    token_hash: Buffer
    feed_id: string
    made_by: string
    name: string
    /** Networks in CIDR notation; none: from anywhere. */
    networks: string[]
    expires_at: Date
    created_at: Date
    /** Of the narrowed key that made it, within whose bounds it works; null: of a session, or of a key without bounds. */
    key_pair_id: string | null
  }
}
