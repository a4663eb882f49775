import { type Kysely, sql } from 'kysely'

/**
 * Several addresses of a user, of which `users.email` is the preferred one; what is known of a user's identity; and what
 * the administration sets. Two users may have the same address as long as one of them at most has verified it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE emails (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      address text NOT NULL,
      verified boolean NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`
    INSERT INTO emails (id, user_id, address, verified, created_at)
      SELECT gen_random_uuid(), id, email, true, created_at FROM users`.execute(db)
  await sql`CREATE UNIQUE INDEX emails_verified ON emails (lower(address)) WHERE verified`.execute(db)
  await sql`CREATE UNIQUE INDEX emails_user ON emails (user_id, lower(address))`.execute(db)
  await sql`ALTER TABLE verification_codes ADD COLUMN email_id uuid REFERENCES emails ON DELETE CASCADE`.execute(db)
  await sql`CREATE INDEX verification_codes_email_id ON verification_codes (email_id)`.execute(db)
  await sql`
    CREATE TABLE identity_checks (
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      status text NOT NULL CHECK (status IN ('none', 'pending', 'passed', 'failed', 'revoked')),
      attempts jsonb NOT NULL,
      expires_at timestamptz,
      changed_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE TABLE settings (name text PRIMARY KEY, value jsonb NOT NULL)`.execute(db)
}
