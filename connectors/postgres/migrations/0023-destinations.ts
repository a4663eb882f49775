import { type Kysely, sql } from 'kysely'

/**
 * Destinations of alerts, and what is on its way to them (ADR 216). A destination is also its queue: whoever has its lease
 * sends the next delivery. No references to customers, users and alerts: destinations go in the transactions that end
 * their owners, and a delivery outlives its alert.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE alert_destinations (
      id uuid PRIMARY KEY,
      customer_id uuid NOT NULL,
      user_id uuid NOT NULL,
      name text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('webhook', 'slack', 'teams', 'email')),
      url text CHECK (length(url) <= 2048),
      email text CHECK (length(email) <= 254),
      host text NOT NULL,
      watchlists uuid[] CHECK (cardinality(watchlists) > 0),
      digest text NOT NULL CHECK (digest IN ('none', 'hourly', 'daily')),
      public_only boolean NOT NULL,
      secret text NOT NULL CHECK (length(secret) <= 256),
      confirmed_at timestamptz,
      code_id uuid,
      tested_at timestamptz,
      due_at timestamptz,
      gather_until timestamptz,
      storms integer NOT NULL DEFAULT 0,
      begun_to bigint NOT NULL DEFAULT 0,
      recent timestamptz[] NOT NULL DEFAULT '{}',
      holder uuid,
      lease_until timestamptz NOT NULL DEFAULT 'epoch',
      fence integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK ((kind = 'email') = (email IS NOT NULL)),
      CHECK ((kind = 'email') = (url IS NULL))
    )`.execute(db)
  await sql`CREATE INDEX alert_destinations_owner ON alert_destinations (user_id, customer_id, id)`.execute(db)
  await sql`CREATE INDEX alert_destinations_customer ON alert_destinations (customer_id)`.execute(db)
  await sql`CREATE INDEX alert_destinations_due ON alert_destinations (due_at, id) WHERE due_at IS NOT NULL`.execute(db)
  // Of a digest: `alert_id` is null, and it carries the alerts of the destination after `after_seq`, up to `to_seq`.
  await sql`
    CREATE TABLE alert_deliveries (
      id uuid PRIMARY KEY,
      destination_id uuid NOT NULL REFERENCES alert_destinations ON DELETE CASCADE,
      seq bigserial,
      alert_id uuid,
      after_seq bigint,
      to_seq bigint,
      alerts integer NOT NULL DEFAULT 1,
      message_id text NOT NULL,
      state text NOT NULL DEFAULT 'fresh' CHECK (state IN ('fresh', 'trying', 'delivered', 'dead', 'skipped')),
      passed boolean NOT NULL DEFAULT false,
      attempts integer NOT NULL DEFAULT 0,
      next_at timestamptz NOT NULL,
      last_error text,
      note text,
      created_at timestamptz NOT NULL,
      finished_at timestamptz,
      UNIQUE (destination_id, alert_id),
      CHECK ((alert_id IS NULL) = (to_seq IS NOT NULL AND after_seq IS NOT NULL))
    )`.execute(db)
  await sql`CREATE INDEX alert_deliveries_order ON alert_deliveries (destination_id, seq)`.execute(db)
  await sql`
    CREATE INDEX alert_deliveries_trying ON alert_deliveries (destination_id, next_at, seq) WHERE state = 'trying'`.execute(
    db,
  )
  await sql`
    CREATE INDEX alert_deliveries_digests ON alert_deliveries (destination_id, to_seq) WHERE alert_id IS NULL`.execute(
    db,
  )
  await sql`
    CREATE INDEX alert_deliveries_finished ON alert_deliveries (finished_at) WHERE finished_at IS NOT NULL`.execute(db)
  await sql`CREATE INDEX alert_deliveries_fresh ON alert_deliveries (created_at) WHERE state = 'fresh'`.execute(db)
  await sql`
    CREATE TRIGGER alert_destinations_work AFTER UPDATE OF due_at ON alert_destinations
      FOR EACH ROW WHEN (NEW.due_at IS NOT NULL) EXECUTE FUNCTION harrier_work('deliveries')`.execute(db)
  await publicAlerts(db)
  // A code that confirms the address of a destination.
  await sql`ALTER TABLE verification_codes ADD COLUMN destination_id uuid`.execute(db)
}

/**
 * What destinations for what is public are told: the ids are those of the alerts of their users, the words are those of
 * everybody. The job that fires alerts reads a list again when another destination, or one no more, is told so of it.
 */
async function publicAlerts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE casework_public_alerts (
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
      withdrawn_at timestamptz
    )`.execute(db)
  await sql`
    CREATE INDEX casework_public_alerts_item ON casework_public_alerts (item_id, entity_id, created_at)`.execute(db)
  await sql`CREATE INDEX casework_public_alerts_user ON casework_public_alerts (user_id)`.execute(db)
  await sql`CREATE INDEX casework_public_alerts_customer ON casework_public_alerts (customer_id)`.execute(db)
  await sql`CREATE INDEX casework_public_alerts_age ON casework_public_alerts (created_at)`.execute(db)
  const moved = (name: string, event: string, when: string) =>
    sql`
      CREATE CONSTRAINT TRIGGER ${sql.id(name)} AFTER ${sql.raw(event)} ON alert_destinations
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${sql.raw(when)})
        EXECUTE FUNCTION casework_watch_moved('user_id')`.execute(db)
  const other = (column: string) => `OLD.${column} IS DISTINCT FROM NEW.${column}`
  await moved('destination_made', 'INSERT', 'NEW.public_only')
  await moved('destination_gone', 'DELETE', 'OLD.public_only')
  await moved(
    'destination_changed',
    'UPDATE',
    `(OLD.public_only OR NEW.public_only) AND (${other('public_only')} OR ${other('watchlists')})`,
  )
}
