import { type Kysely, sql } from 'kysely'

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/**
 * What belongs to a record has a kind of its own, since a case holds notes and pinned entities, and an ordinal inside of
 * its record (ADR 167). The words of turns are indexed, so that conversations can be searched (ADR 168).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // ASCII punctuation, but that of `kept`, becomes spaces: the parser of PostgreSQL takes what stands beside a URL into it.
  // Bodies that are parsed now find each other also where a restored dump has set no search path.
  await sql`
    CREATE FUNCTION casework_spaced(given text, kept text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN translate(given, translate(${sql.lit(PUNCTUATION)}, kept, ''), repeat(' ', 32))`.execute(db)
  // Twice: names and addresses as they are, and their parts in their order, so that `example.com` is in `a.example.com`.
  await sql`
    CREATE FUNCTION casework_words(text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN to_tsvector('simple'::regconfig, casework_spaced($1, '.-_@'))
        || to_tsvector('simple'::regconfig, casework_spaced($1, ''))`.execute(db)
  await sql`
    ALTER TABLE casework_records
      ADD COLUMN next_seq int NOT NULL DEFAULT 0,
      ADD COLUMN last_entry_at timestamptz`.execute(db)
  await sql`
    ALTER TABLE casework_entries ADD COLUMN kind text, ADD COLUMN seq int, ADD COLUMN key text`.execute(db)
  await sql`
    UPDATE casework_entries AS e
    SET kind = CASE r.kind WHEN 'watchlist' THEN 'item' ELSE 'message' END, seq = o.seq
    FROM casework_records AS r,
      (SELECT id, row_number() OVER (PARTITION BY record_id ORDER BY created_at, id) - 1 AS seq
       FROM casework_entries) AS o
    WHERE r.id = e.record_id AND o.id = e.id`.execute(db)
  await sql`
    UPDATE casework_records AS r SET next_seq = e.entries, last_entry_at = e.latest
    FROM (SELECT record_id, count(*) AS entries, max(created_at) AS latest
          FROM casework_entries GROUP BY record_id) AS e
    WHERE e.record_id = r.id`.execute(db)
  await sql`
    ALTER TABLE casework_entries
      ALTER COLUMN kind SET NOT NULL,
      ALTER COLUMN seq SET NOT NULL,
      ADD CHECK (kind IN ('item', 'message', 'turn', 'note', 'entity')),
      ADD COLUMN words tsvector GENERATED ALWAYS AS (
        CASE WHEN kind = 'turn'
          THEN casework_words((content->>'question') || ' ' || coalesce(content->>'answer', ''))
        END) STORED`.execute(db)
  await sql`DROP INDEX casework_entries_record`.execute(db)
  await sql`CREATE UNIQUE INDEX casework_entries_order ON casework_entries (record_id, kind, seq)`.execute(db)
  await sql`
    CREATE UNIQUE INDEX casework_entries_key ON casework_entries (record_id, kind, key) WHERE key IS NOT NULL`.execute(
    db,
  )
  await sql`CREATE INDEX casework_entries_words ON casework_entries USING gin (words) WHERE words IS NOT NULL`.execute(
    db,
  )
}
