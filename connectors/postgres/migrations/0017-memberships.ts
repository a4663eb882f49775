import { type Kysely, sql } from 'kysely'

/**
 * Memberships that their user has to accept (those that are there count as accepted), invitations by mail, and what an
 * instance goes on with once it has stopped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE memberships ADD COLUMN accepted_at timestamptz`.execute(db)
  await sql`
    UPDATE memberships SET accepted_at = customers.created_at
      FROM customers WHERE customers.id = memberships.customer_id`.execute(db)
  await sql`
    CREATE TABLE invitations (
      token_hash bytea PRIMARY KEY,
      customer_id uuid NOT NULL REFERENCES customers ON DELETE CASCADE,
      email text NOT NULL,
      role text NOT NULL CHECK (role IN ('admin', 'user')),
      invited_by uuid NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db)
  await sql`CREATE INDEX invitations_customer ON invitations (customer_id, created_at)`.execute(db)
  await sql`CREATE INDEX invitations_email ON invitations (email, created_at)`.execute(db)
  await sql`CREATE INDEX invitations_expires ON invitations (expires_at)`.execute(db)
  await sql`
    ALTER TABLE instances ADD COLUMN afterwards text 
      CHECK (afterwards IS NULL OR (afterwards IN ('restart', 'reset') AND status = 'STOPPING'))`.execute(db)
}
