import { type Kysely, sql } from 'kysely'

/**
 * What key pairs are narrowed to, and secrets from before a rotation (ADR 227). A download token that a narrowed key made
 * ends with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE key_pairs
      ADD COLUMN scopes text[] CHECK (cardinality(scopes) > 0),
      ADD COLUMN groups text[] CHECK (cardinality(groups) > 0),
      ADD COLUMN networks text[] CHECK (cardinality(networks) > 0),
      ADD COLUMN previous_hash bytea,
      ADD COLUMN previous_until timestamptz,
      ADD CHECK (previous_hash IS NULL OR previous_until IS NOT NULL)`.execute(db)
  await sql`ALTER TABLE feed_tokens ADD COLUMN key_pair_id uuid REFERENCES key_pairs ON DELETE CASCADE`.execute(db)
  await sql`CREATE INDEX feed_tokens_key ON feed_tokens (key_pair_id)`.execute(db)
}
