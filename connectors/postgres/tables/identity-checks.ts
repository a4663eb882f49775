/** The table of the store of identity checks. */
export type IdentityCheckTables = {
  /** What is known of the identity of a user. `attempts`: JSON, oldest first. */
  identity_checks: {
    user_id: string
    status: string
    attempts: unknown
    expires_at: Date | null
    changed_at: Date
  }
}
