import { type Kysely, sql } from 'kysely'

/**
 * What analysts keep for themselves inside of a customer (ADR 121). No references to customers and users: clean-up is by
 * their events, and what an event missed is found by reconciliation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE casework_records (
      id uuid PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('case', 'watchlist', 'conversation', 'search')),
      customer_id uuid NOT NULL,
      user_id uuid NOT NULL,
      content jsonb NOT NULL,
      case_id uuid REFERENCES casework_records ON DELETE SET NULL CHECK (case_id IS NULL OR kind = 'conversation'),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(db)
  await sql`
    CREATE INDEX casework_records_owner ON casework_records (customer_id, user_id, kind, created_at, id)`.execute(db)
  await sql`CREATE INDEX casework_records_user ON casework_records (user_id)`.execute(db)
  await sql`CREATE INDEX casework_records_case ON casework_records (case_id) WHERE case_id IS NOT NULL`.execute(db)
  await sql`
    CREATE TABLE casework_entries (
      id uuid PRIMARY KEY,
      record_id uuid NOT NULL REFERENCES casework_records ON DELETE CASCADE,
      content jsonb NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX casework_entries_record ON casework_entries (record_id, created_at, id)`.execute(db)
  await sql`
    CREATE TABLE casework_alert_reads (
      customer_id uuid NOT NULL,
      user_id uuid NOT NULL,
      read_until timestamptz,
      read_ids uuid[] NOT NULL CHECK (cardinality(read_ids) <= 10000),
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (customer_id, user_id)
    )`.execute(db)
  await sql`CREATE INDEX casework_alert_reads_user ON casework_alert_reads (user_id)`.execute(db)
}
