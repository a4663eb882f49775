/** The tables of the store of single sign-on. */
export type SignOnTables = {
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
