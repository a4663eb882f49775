import { type Kysely, sql } from 'kysely'

/** Addresses that count as verified because an issuer named them, which did not say that it has verified them (ADR 260). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE emails ADD COLUMN assumed boolean NOT NULL DEFAULT false`.execute(db)
}
