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
  await sql`CREATE INDEX casework_alerts_newest ON casework_alerts (customer_id, user_id, created_at, id)`.execute(db)
  await sql`CREATE INDEX casework_alerts_last ON casework_alerts (user_id, customer_id, last_at)`.execute(db)
  await sql`CREATE INDEX casework_alerts_item ON casework_alerts (item_id, entity_id, created_at)`.execute(db)
  await sql`CREATE INDEX casework_alerts_age ON casework_alerts (created_at)`.execute(db)
  // How far the changes of each partition were looked at, by the partition of the observations behind them.
  await sql`
    CREATE TABLE casework_alert_positions (
      partition integer NOT NULL,
      source integer NOT NULL,
      next_offset bigint NOT NULL,
      PRIMARY KEY (partition, source)
    )`.execute(db)
  // Lists of before fire for what changes from now on.
  await sql`ALTER TABLE casework_records ADD COLUMN enabled_at timestamptz`.execute(db)
  await sql`UPDATE casework_records SET enabled_at = now() WHERE kind = 'watchlist'`.execute(db)
  await watchMoves(db)
}

/** What watches, or for whom, is another: the job that fires alerts reads of these what it has to read again. */
async function watchMoves(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE casework_watch_moves (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      watchlist_id uuid,
      user_id uuid,
      at timestamptz NOT NULL DEFAULT now(),
      CHECK ((watchlist_id IS NULL) <> (user_id IS NULL))
    )`.execute(db)
  // The lock is held until the transaction ends, so moves are seen in the order of their numbers. It is taken last, by
  // triggers that are deferred: whoever waits for it holds nothing that its holder could still ask for.
  await sql`
    CREATE FUNCTION casework_watch_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      gone jsonb := CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE to_jsonb(OLD) END;
      made jsonb := CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) END;
      named text := TG_ARGV[0];
      which uuid;
    BEGIN
      PERFORM pg_advisory_xact_lock(2150022);
      FOR which IN SELECT DISTINCT (one->>named)::uuid FROM unnest(ARRAY[gone, made]) AS one WHERE one IS NOT NULL LOOP
        -- The items of a list go with it.
        CONTINUE WHEN TG_TABLE_NAME = 'casework_entries'
          AND NOT EXISTS (SELECT FROM casework_records WHERE id = which);
        INSERT INTO casework_watch_moves (watchlist_id, user_id)
        VALUES (CASE WHEN TG_TABLE_NAME LIKE 'casework%' THEN which END,
                CASE WHEN TG_TABLE_NAME NOT LIKE 'casework%' THEN which END);
      END LOOP;
      RETURN NULL;
    END $$`.execute(db)
  const moved = (name: string, event: string, table: string, key: string, when = '') =>
    sql`
      CREATE CONSTRAINT TRIGGER ${sql.id(name)} AFTER ${sql.raw(event)} ON ${sql.id(table)}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW ${sql.raw(when)}
        EXECUTE FUNCTION casework_watch_moved(${sql.lit(key)})`.execute(db)
  await moved('watch_item_added', 'INSERT', 'casework_entries', 'record_id', `WHEN (NEW.kind = 'item')`)
  await moved('watch_item_gone', 'DELETE', 'casework_entries', 'record_id', `WHEN (OLD.kind = 'item')`)
  await moved('watchlist_gone', 'DELETE', 'casework_records', 'id', `WHEN (OLD.kind = 'watchlist')`)
  const other = (column: string) => `OLD.${column} IS DISTINCT FROM NEW.${column}`
  const enabled = `OLD.kind = 'watchlist' AND OLD.content->'enabled' IS DISTINCT FROM NEW.content->'enabled'`
  await moved('watchlist_changed', 'UPDATE', 'casework_records', 'id', `WHEN (${enabled})`)
  const reads = `WHEN (${other('groups')} OR ${other('disabled')})`
  await moved('watcher_changed', 'UPDATE', 'users', 'id', reads)
  await moved('watcher_gone', 'DELETE', 'users', 'id')
  await moved('watcher_joined', 'INSERT', 'memberships', 'user_id')
  await moved('watcher_left', 'DELETE', 'memberships', 'user_id')
  const elsewhere = `WHEN (${other('user_id')} OR ${other('customer_id')})`
  await moved('watcher_moved', 'UPDATE', 'memberships', 'user_id', elsewhere)
}
