import type { Generated } from 'kysely'

/** The tables of sessions, key pairs, codes and single sign-on. */
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
  sign_on_identities: {
    issuer: string
    subject: string
    user_id: string
    linked_at: Date
  }
  sign_on_states: {
    /** SHA-256 of the state, and of the cookie of the browser. */
    state_hash: Buffer
    browser_hash: Buffer
    /** Client address, or its block. */
    address: string
    /** Whose account the person is linked to; null: it signs in. */
    link_user: string | null
    /** Path of the console. */
    goes_to: string
    /** What the tab of the console called itself. */
    tab: string
    expires_at: Date
  }
  mapped_rights: {
    user_id: string
    roles: string[]
    groups: string[]
  }
  mapped_memberships: {
    membership_id: string
    /** What the mapping gave. A membership with another role has it by hand. */
    role: string
  }
  sign_on_sessions: {
    session_id: string
    issuer: string
    subject: string
    /** Id of the session at the issuer. */
    sid: string | null
    /** No extension goes beyond. */
    ends_at: Date
  }
  logout_tokens: {
    /** SHA-256 of issuer and id. */
    token_hash: Buffer
    expires_at: Date
  }
}
