import { type Kysely, sql } from 'kysely'

/**
 * Scan tasks: one for a user and a target as long as it exists. A task ends with its user's account, which the built-in
 * administrator and the platform itself have none of.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE scan_tasks (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      account_id uuid REFERENCES users ON DELETE CASCADE CHECK (account_id = user_id),
      source text NOT NULL,
      trust double precision NOT NULL CHECK (trust > 0 AND trust <= 1),
      audience text[] NOT NULL CHECK (cardinality(audience) > 0),
      target text NOT NULL CHECK (length(target) <= 253),
      kind text NOT NULL CHECK (kind IN ('ip', 'domain')),
      priority text NOT NULL CHECK (priority IN ('user', 'automatic')),
      status text NOT NULL CHECK (status IN ('new', 'queued', 'running', 'done', 'permanent_failure')),
      retries int NOT NULL DEFAULT 0,
      round int NOT NULL DEFAULT 0,
      fence int NOT NULL DEFAULT 0,
      holder uuid,
      lease_until timestamptz NOT NULL DEFAULT 'epoch',
      webhook_url text CHECK (length(webhook_url) <= 2048),
      webhook_headers jsonb,
      webhook_secret text,
      since timestamptz NOT NULL,
      asked_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      entities int NOT NULL DEFAULT 0,
      error text
    )`.execute(db)
  await sql`CREATE UNIQUE INDEX scan_tasks_target ON scan_tasks (user_id, target)`.execute(db)
  await sql`CREATE INDEX scan_tasks_account ON scan_tasks (account_id)`.execute(db)
  await sql`CREATE INDEX scan_tasks_queued ON scan_tasks (priority, since, id) WHERE status = 'queued'`.execute(db)
  await sql`CREATE INDEX scan_tasks_silent ON scan_tasks (asked_at) WHERE status = 'queued'`.execute(db)
  await sql`CREATE INDEX scan_tasks_running ON scan_tasks (target) WHERE status = 'running'`.execute(db)
  await sql`CREATE INDEX scan_tasks_created ON scan_tasks (created_at, id)`.execute(db)
  await sql`CREATE INDEX scan_tasks_status ON scan_tasks (status, created_at, id)`.execute(db)
}
