import { type Kysely, sql } from 'kysely'

/** What is taken of limits, by window, and of quotas, by customer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE limit_windows (
      subject text NOT NULL,
      service text NOT NULL,
      feature text NOT NULL,
      period text NOT NULL,
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      granted bigint NOT NULL CHECK (granted >= 0),
      lent bigint NOT NULL,
      PRIMARY KEY (subject, service, feature, period, starts_at)
    ) WITH (fillfactor = 70)`.execute(db)
  await sql`CREATE INDEX limit_windows_end ON limit_windows (ends_at)`.execute(db)
  await sql`
    CREATE TABLE quota_usage (
      customer_id uuid NOT NULL REFERENCES customers ON DELETE CASCADE,
      service text NOT NULL,
      feature text NOT NULL,
      used bigint NOT NULL CHECK (used >= 0),
      PRIMARY KEY (customer_id, service, feature)
    ) WITH (fillfactor = 70)`.execute(db)
}
