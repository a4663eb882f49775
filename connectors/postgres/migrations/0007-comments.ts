import { type Kysely, sql } from 'kysely'

/**
 * What people write about entities. A comment ends with its author's account, which the built-in administrator has
 * none of; a reply to it stays and stands alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE comments (
      id uuid PRIMARY KEY,
      entity_id text NOT NULL,
      comment text NOT NULL,
      user_id uuid NOT NULL,
      account_id uuid CONSTRAINT comments_account_id_fkey REFERENCES users ON DELETE CASCADE
        CHECK (account_id = user_id),
      parent_id uuid CONSTRAINT comments_parent_id_fkey REFERENCES comments ON DELETE SET NULL,
      audience text[] NOT NULL CHECK (cardinality(audience) > 0),
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX comments_entity ON comments (entity_id, created_at DESC, id DESC)`.execute(db)
  await sql`CREATE INDEX comments_account ON comments (account_id)`.execute(db)
  await sql`CREATE INDEX comments_parent ON comments (parent_id)`.execute(db)
}
