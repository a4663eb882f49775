import { type Kysely, sql } from 'kysely'

/** Networks that an email has been verified from, as hashes of both, and which share each code was counted against. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE verification_codes ADD COLUMN network bytea`.execute(db)
  await sql`ALTER TABLE verification_codes ADD COLUMN reserved boolean NOT NULL DEFAULT false`.execute(db)
  await sql`CREATE INDEX verification_codes_network ON verification_codes (network, created_at)`.execute(db)
  await sql`
    CREATE TABLE known_networks (
      network bytea PRIMARY KEY,
      verified_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX known_networks_verified ON known_networks (verified_at)`.execute(db)
}
