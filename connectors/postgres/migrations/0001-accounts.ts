import { type Kysely, sql } from 'kysely'

/** Users, their keys and sessions, customers and memberships. Only what PostgreSQL 15 runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      email text NOT NULL,
      full_name text NOT NULL,
      alias text NOT NULL,
      roles text[] NOT NULL,
      groups text[] NOT NULL,
      disabled boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE UNIQUE INDEX users_email ON users (lower(email))`.execute(db)
  await sql`
    CREATE TABLE key_pairs (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      api_key text NOT NULL UNIQUE,
      secret_hash bytea NOT NULL,
      expires_at timestamptz,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX key_pairs_user ON key_pairs (user_id)`.execute(db)
  await sql`
    CREATE TABLE sessions (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      token_hash bytea NOT NULL UNIQUE,
      verified boolean NOT NULL DEFAULT false,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX sessions_user ON sessions (user_id)`.execute(db)
  await sql`
    CREATE TABLE customers (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db)
  await sql`
    CREATE TABLE memberships (
      id uuid PRIMARY KEY,
      customer_id uuid NOT NULL REFERENCES customers ON DELETE CASCADE,
      user_id uuid NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'user'))
    )`.execute(db)
  await sql`CREATE INDEX memberships_customer ON memberships (customer_id)`.execute(db)
}
