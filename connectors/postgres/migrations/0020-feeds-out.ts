import { type Kysely, sql } from 'kysely'

/**
 * Feeds that leave the platform, and the tokens with which devices read them (ADR 209). A selector is JSON text, not
 * `jsonb`: a value may hold a character that `jsonb` refuses. No references to customers and users: the administrator of
 * the configuration has no row, and the deletion of an owner tells the job of every feed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE feeds (
      id uuid PRIMARY KEY,
      owner_kind text NOT NULL CHECK (owner_kind IN ('customer', 'user')),
      owner_id uuid NOT NULL,
      made_by uuid NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      selector json NOT NULL,
      selector_bytes integer NOT NULL,
      accuracy_from smallint,
      groups text[] NOT NULL CHECK (cardinality(groups) > 0),
      cap integer CHECK (cap > 0),
      guard json,
      open boolean NOT NULL,
      revision integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX feeds_owner ON feeds (owner_id, id)`.execute(db)
  await sql`CREATE INDEX feeds_open ON feeds (id) WHERE open`.execute(db)
  await sql`
    CREATE TABLE feed_tokens (
      id uuid PRIMARY KEY,
      token_hash bytea NOT NULL UNIQUE,
      feed_id uuid NOT NULL REFERENCES feeds ON DELETE CASCADE,
      made_by uuid NOT NULL,
      name text NOT NULL,
      networks text[] NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX feed_tokens_feed ON feed_tokens (feed_id, id)`.execute(db)
  await sql`CREATE INDEX feed_tokens_maker ON feed_tokens (made_by)`.execute(db)
}
