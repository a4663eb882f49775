import { type Kysely, sql } from 'kysely'

/**
 * Places of open streams, and tickets of the socket (ADR 213). A subject is text, as in `limit_windows`: addresses have
 * no rows. No index on the leases: the table is small, and a renewal then changes no index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE live_places (
      subject text NOT NULL,
      place integer NOT NULL CHECK (place > 0),
      stream_id uuid NOT NULL UNIQUE,
      lease_until timestamptz NOT NULL,
      PRIMARY KEY (subject, place)
    ) WITH (fillfactor = 70)`.execute(db)
  await sql`
    CREATE TABLE live_tickets (
      ticket_hash bytea PRIMARY KEY,
      caller_kind text NOT NULL CHECK (caller_kind IN ('session', 'key pair', 'administrator', 'anonymous')),
      user_id uuid REFERENCES users ON DELETE CASCADE,
      credential_id uuid,
      expires_at timestamptz NOT NULL,
      CHECK ((caller_kind IN ('session', 'key pair')) = (user_id IS NOT NULL)),
      CHECK ((user_id IS NULL) = (credential_id IS NULL))
    )`.execute(db)
  await sql`CREATE INDEX live_tickets_user ON live_tickets (user_id)`.execute(db)
  await sql`CREATE INDEX live_tickets_end ON live_tickets (expires_at)`.execute(db)
}
