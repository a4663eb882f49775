import type { Generated } from 'kysely'

/** The tables of the store of sessions, key pairs and mailed codes. */
export type SessionTables = {
  key_pairs: {
    id: string
    user_id: string
    name: string
    api_key: string
    secret_hash: Buffer
    verified: Generated<boolean>
    expires_at: Date | null
    created_at: Date
    /** What it was narrowed to; null: not bounded. */
    scopes: string[] | null
    groups: string[] | null
    networks: string[] | null
    /** Of the secret before the last rotation; null: it does not work any more. */
    previous_hash: Buffer | null
    /** Until when it works, or worked; null: the key was never rotated. */
    previous_until: Date | null
  }
  sessions: {
    id: string
    user_id: string
    token_hash: Buffer
    verified: Generated<boolean>
    kind: Generated<string>
    expires_at: Date
    created_at: Date
  }
  verification_codes: {
    /** SHA-256 of the id that the caller names. */
    id_hash: Buffer
    code_hash: Buffer
    /** In lower case. */
    email: string
    /** Client address, or its block. */
    address: string
    /** Hash of the email and the network that requested the code; null for codes older than this column. */
    network: Buffer | null
    /** Counted against the reserve of networks that the email was verified from. */
    reserved: Generated<boolean>
    user_id: string | null
    key_pair_id: string | null
    email_id: string | null
    /** Destination of alerts. */
    destination_id: string | null
    /** JSON: what a right code makes. */
    pending: unknown
    tries_left: number
    used: Generated<boolean>
    expires_at: Date
    created_at: Date
  }
  known_networks: {
    /** Hash of an email and a network that it was verified from. */
    network: Buffer
    verified_at: Date
  }
}
