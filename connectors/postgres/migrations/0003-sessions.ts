import { type Kysely, sql } from 'kysely'

/** Codes by mail, and what they make: sessions of a kind, key pairs that wait for their code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sessions ADD COLUMN kind text NOT NULL DEFAULT ''`.execute(db)
  await sql`CREATE INDEX sessions_expires ON sessions (expires_at)`.execute(db)
  await sql`ALTER TABLE key_pairs ADD COLUMN verified boolean NOT NULL DEFAULT true`.execute(db)
  await sql`CREATE INDEX key_pairs_unverified ON key_pairs (created_at) WHERE NOT verified`.execute(db)
  await sql`
    CREATE TABLE verification_codes (
      id_hash bytea PRIMARY KEY,
      code_hash bytea NOT NULL,
      email text NOT NULL,
      address text NOT NULL,
      user_id uuid REFERENCES users ON DELETE CASCADE,
      key_pair_id uuid REFERENCES key_pairs ON DELETE CASCADE,
      pending jsonb,
      tries_left integer NOT NULL CHECK (tries_left >= 0),
      used boolean NOT NULL DEFAULT false,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX verification_codes_email ON verification_codes (email, created_at)`.execute(db)
  await sql`CREATE INDEX verification_codes_address ON verification_codes (address, created_at)`.execute(db)
  await sql`CREATE INDEX verification_codes_created ON verification_codes (created_at)`.execute(db)
  await sql`CREATE INDEX verification_codes_user ON verification_codes (user_id)`.execute(db)
  await sql`CREATE INDEX verification_codes_key ON verification_codes (key_pair_id)`.execute(db)
}
