import type { Generated } from 'kysely'

/** The tables of users, with their addresses and identity checks. */
export type UserTables = {
  users: {
    id: string
    email: string
    full_name: string
    alias: string
    roles: string[]
    groups: string[]
    disabled: Generated<boolean>
    created_at: Date
  }
  /** Every address of every user; `users.email` is the preferred one of them and always verified. */
  emails: {
    id: string
    user_id: string
    address: string
    verified: boolean
    /** It counts as verified by the word of an issuer that does not say so itself, until a mailed code proves it (ADR 276). */
    assumed: Generated<boolean>
    created_at: Date
  }
  /** What is known of the identity of a user. `attempts`: JSON, oldest first. */
  identity_checks: {
    user_id: string
    status: string
    attempts: unknown
    expires_at: Date | null
    changed_at: Date
  }
}
