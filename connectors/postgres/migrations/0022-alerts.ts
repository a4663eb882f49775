import { type Kysely, sql } from 'kysely'

/**
 * Alerts of watchlists (ADR 215): one for an item, an entity and a UTC day. No references to customers, users and
 * watchlists: an alert outlives the item that fired, and clean-up is by the events of users and customers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE casework_alerts (
      id uuid PRIMARY KEY,
      customer_id uuid NOT NULL,
      user_id uuid NOT NULL,
      watchlist_id uuid NOT NULL,
      item_id uuid NOT NULL,
      entity_id text NOT NULL,
      entity_type text NOT NULL,
      entity_value text NOT NULL,
      reputation smallint NOT NULL,
      matched_kind text NOT NULL,
      matched_on text NOT NULL,
      count integer NOT NULL DEFAULT 1 CHECK (count > 0),
      created_at timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      withdrawn_at timestamptz,
      readable_by text[] NOT NULL CHECK (cardinality(readable_by) > 0),
      partition integer NOT NULL,
      last_offset bigint NOT NULL,
      state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'handled', 'assigned')),
      assignee text,
      note text NOT NULL DEFAULT ''
    )`.execute(db)
  await sql`CREATE INDEX casework_alerts_newest ON casework_alerts (user_id, customer_id, created_at, id)`.execute(db)
  await sql`CREATE INDEX casework_alerts_last ON casework_alerts (user_id, customer_id, last_at)`.execute(db)
  await sql`CREATE INDEX casework_alerts_item ON casework_alerts (item_id, entity_id, created_at)`.execute(db)
  await sql`CREATE INDEX casework_alerts_age ON casework_alerts (created_at)`.execute(db)
}
