import { type Kysely, sql } from 'kysely'

/**
 * Idempotency keys of bulk requests (ADR 221). No reference to users: the administrator of the configuration has no row,
 * and a row lives for a day. The key itself is stored nowhere.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE bulk_requests (
      caller uuid NOT NULL,
      key_hash bytea NOT NULL,
      started_at timestamptz NOT NULL,
      attempt uuid,
      lease_until timestamptz NOT NULL,
      groups text[] NOT NULL,
      bytes bigint NOT NULL DEFAULT 0,
      digest bytea NOT NULL DEFAULT '',
      lines integer NOT NULL DEFAULT 0,
      limited integer[] NOT NULL DEFAULT '{}',
      offsets bigint[] NOT NULL,
      finished boolean NOT NULL DEFAULT false,
      PRIMARY KEY (caller, key_hash)
    ) WITH (fillfactor = 70)`.execute(db)
  await sql`CREATE INDEX bulk_requests_start ON bulk_requests (started_at)`.execute(db)
}
