import type { Generated } from 'kysely'

/** The table of the store of email addresses. */
export type EmailTables = {
  /** Every address of every user; `users.email` is the preferred one of them and always verified. */
  emails: {
    id: string
    user_id: string
    address: string
    verified: boolean
    /** It counts as verified by the word of an issuer that does not say so itself, until a mailed code proves it (ADR 260). */
    assumed: Generated<boolean>
    created_at: Date
  }
}
