import { type Kysely, sql } from 'kysely'

/** What became of envelopes that the inbox of the TAXII server took (ADR 225). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE inbox_statuses (
      id uuid PRIMARY KEY,
      poster uuid NOT NULL,
      status text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX inbox_statuses_expiry ON inbox_statuses (expires_at)`.execute(db)
}
