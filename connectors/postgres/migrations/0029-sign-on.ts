import { type Kysely, sql } from 'kysely'

/**
 * Single sign-on (ADR 229): who a person at an issuer is here, sign-ons under way, what claims give beside what was given
 * by hand, the sessions that an issuer can end, and the logout tokens that came.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE sign_on_identities (
      issuer text NOT NULL,
      subject text NOT NULL,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      linked_at timestamptz NOT NULL,
      PRIMARY KEY (issuer, subject),
      UNIQUE (user_id, issuer)
    )`.execute(db)
  await sql`
    CREATE TABLE sign_on_states (
      state_hash bytea PRIMARY KEY,
      browser_hash bytea NOT NULL,
      address text NOT NULL,
      link_user uuid REFERENCES users ON DELETE CASCADE,
      goes_to text NOT NULL,
      tab text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX sign_on_states_address ON sign_on_states (address)`.execute(db)
  await sql`CREATE INDEX sign_on_states_user ON sign_on_states (link_user)`.execute(db)
  await sql`CREATE INDEX sign_on_states_end ON sign_on_states (expires_at)`.execute(db)
  await sql`
    CREATE TABLE mapped_rights (
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      roles text[] NOT NULL,
      groups text[] NOT NULL
    )`.execute(db)
  await sql`
    CREATE TABLE mapped_memberships (
      membership_id uuid PRIMARY KEY REFERENCES memberships ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('admin', 'user'))
    )`.execute(db)
  await sql`
    CREATE TABLE sign_on_sessions (
      session_id uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
      issuer text NOT NULL,
      subject text NOT NULL,
      sid text,
      ends_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX sign_on_sessions_subject ON sign_on_sessions (issuer, subject)`.execute(db)
  await sql`CREATE INDEX sign_on_sessions_sid ON sign_on_sessions (issuer, sid)`.execute(db)
  await sql`
    CREATE TABLE logout_tokens (
      token_hash bytea PRIMARY KEY,
      expires_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX logout_tokens_end ON logout_tokens (expires_at)`.execute(db)
}
