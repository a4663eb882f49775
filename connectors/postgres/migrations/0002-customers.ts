import { type Kysely, sql } from 'kysely'

/** What a customer pays for, and where its bills go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE customers
      ADD COLUMN email text NOT NULL DEFAULT '',
      ADD COLUMN billing_address jsonb NOT NULL DEFAULT '{}',
      ADD COLUMN tier text NOT NULL DEFAULT 'Free',
      ADD COLUMN quantity integer NOT NULL DEFAULT 1 CHECK (quantity > 0)`.execute(db)
}
