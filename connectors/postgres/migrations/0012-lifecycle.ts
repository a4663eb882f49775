import { type Kysely, sql } from 'kysely'

/**
 * Accounts end by events: a membership outlives its user until the event was handled. Which events were handled, which
 * wait for another try, and whose turn recurring work is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE memberships DROP CONSTRAINT memberships_user_id_fkey`.execute(db)
  await sql`
    CREATE TABLE handled_events (
      handler text NOT NULL,
      event_id uuid NOT NULL,
      handled_at timestamptz NOT NULL,
      PRIMARY KEY (handler, event_id)
    )`.execute(db)
  await sql`CREATE INDEX handled_events_at ON handled_events (handled_at)`.execute(db)
  await sql`
    CREATE TABLE lifecycle_retries (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      handler text NOT NULL,
      key text NOT NULL,
      event_id uuid NOT NULL,
      record bytea NOT NULL,
      log_partition int NOT NULL,
      log_offset bigint NOT NULL,
      log_time timestamptz NOT NULL,
      attempts int NOT NULL,
      next_at timestamptz NOT NULL,
      reason text NOT NULL,
      UNIQUE (handler, event_id)
    )`.execute(db)
  await sql`CREATE INDEX lifecycle_retries_key ON lifecycle_retries (handler, key, seq)`.execute(db)
  await sql`CREATE INDEX lifecycle_retries_due ON lifecycle_retries (handler, next_at)`.execute(db)
  await sql`CREATE TABLE job_turns (name text PRIMARY KEY, next_at timestamptz NOT NULL)`.execute(db)
}
