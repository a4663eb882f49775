import { type Kysely, sql } from 'kysely'

/** Events on their way to the log, whose turn it is to bring them there, and what the payment provider told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE outbox (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id uuid NOT NULL UNIQUE,
      topic text NOT NULL,
      key text NOT NULL,
      record bytea NOT NULL,
      created_at timestamptz NOT NULL,
      published_at timestamptz
    )`.execute(db)
  await sql`CREATE INDEX outbox_pending ON outbox (seq) WHERE published_at IS NULL`.execute(db)
  await sql`CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL`.execute(db)
  await sql`
    CREATE TABLE outbox_turn (
      singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
      holder uuid,
      until timestamptz NOT NULL
    )`.execute(db)
  await sql`INSERT INTO outbox_turn (until) VALUES ('epoch')`.execute(db)
  await sql`
    ALTER TABLE customers
      ADD COLUMN subscription_status text NOT NULL DEFAULT 'active'
        CHECK (subscription_status IN ('active', 'cancelled'))`.execute(db)
  await sql`
    CREATE TABLE payment_accounts (
      customer_id uuid PRIMARY KEY REFERENCES customers ON DELETE CASCADE,
      provider_customer text NOT NULL UNIQUE,
      subscription text,
      ended_subscription text,
      told_at timestamptz NOT NULL
    )`.execute(db)
  await sql`
    CREATE TABLE payment_events (
      id text PRIMARY KEY,
      received_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX payment_events_received ON payment_events (received_at)`.execute(db)
}
