import type { Generated } from 'kysely'

/** The tables of the store of teams. */
export type TeamTables = {
  customers: {
    id: string
    name: string
    email: Generated<string>
    /** JSON. */
    billing_address: Generated<unknown>
    tier: Generated<string>
    /** Multiplies the quotas of the tier. */
    quantity: Generated<number>
    subscription_status: Generated<'active' | 'cancelled'>
    created_at: Date
  }
  memberships: {
    id: string
    customer_id: string
    user_id: string
    role: string
    /** null until the user accepts. */
    accepted_at: Date | null
  }
  invitations: {
    id: Generated<string>
    /** SHA-256 of the token in the mail. */
    token_hash: Buffer
    customer_id: string
    /** In lower case. */
    email: string
    role: string
    invited_by: string
    created_at: Date
    expires_at: Date
    /** False: its address has had the mails of its day, and nobody knows the token. */
    mailed: Generated<boolean>
    /** null: it waits. */
    ended_at: Date | null
  }
}
