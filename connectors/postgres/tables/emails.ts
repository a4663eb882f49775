/** The table of the store of email addresses. */
export type EmailTables = {
  /** Every address of every user; `users.email` is the preferred one of them and always verified. */
  emails: { id: string; user_id: string; address: string; verified: boolean; created_at: Date }
}
