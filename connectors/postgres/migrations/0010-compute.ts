import { type Kysely, sql } from 'kysely'

/**
 * Instances of customers. No references to customers and users: what is left when one of them ends is cleaned up by
 * their events, and what an event missed is found by reconciliation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE instances (
      id uuid PRIMARY KEY,
      customer_id uuid NOT NULL,
      user_id uuid NOT NULL,
      name text NOT NULL,
      zone text NOT NULL,
      machine_type text NOT NULL,
      status text NOT NULL CHECK (status IN ('PROVISIONING', 'STAGING', 'RUNNING', 'STOPPING', 'STOPPED')),
      template_id text,
      created_at timestamptz NOT NULL,
      due_at timestamptz CHECK ((due_at IS NULL) = (status IN ('RUNNING', 'STOPPED')))
    )`.execute(db)
  await sql`CREATE INDEX instances_customer ON instances (customer_id, created_at, id)`.execute(db)
  await sql`CREATE INDEX instances_user ON instances (user_id)`.execute(db)
  await sql`CREATE INDEX instances_due ON instances (due_at, id) WHERE due_at IS NOT NULL`.execute(db)
}
