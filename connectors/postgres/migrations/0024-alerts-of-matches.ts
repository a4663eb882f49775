import { type Kysely, sql } from 'kysely'

/**
 * Alerts of matches (ADR 215). Positions of match.events stand in a table of their own: a process of before knows the other
 * one, and moves whatever stands in it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE casework_match_positions (
      partition integer PRIMARY KEY,
      next_offset bigint NOT NULL
    )`.execute(db)
  // Who reads a match is in all of its groups: in these too, beside one of readable_by.
  await sql`ALTER TABLE casework_alerts ADD COLUMN needs text[] NOT NULL DEFAULT '{}'`.execute(db)
}
