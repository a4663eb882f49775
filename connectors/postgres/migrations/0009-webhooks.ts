import { type Kysely, sql } from 'kysely'

/** Webhooks on their way to their receivers. The bounds are those of what may be asked for, with room for the body. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE webhook_deliveries (
      id uuid PRIMARY KEY,
      url text NOT NULL CHECK (length(url) <= 2048),
      host text NOT NULL,
      headers jsonb NOT NULL,
      secret text NOT NULL CHECK (length(secret) <= 256),
      body bytea NOT NULL CHECK (octet_length(body) <= 65536),
      attempts int NOT NULL DEFAULT 0,
      next_at timestamptz NOT NULL,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
      last_error text,
      holder uuid,
      lease_until timestamptz NOT NULL DEFAULT 'epoch',
      fence int NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      finished_at timestamptz
    )`.execute(db)
  await sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at, id) WHERE state = 'waiting'`.execute(db)
  await sql`
    CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE state <> 'waiting'`.execute(db)
}
