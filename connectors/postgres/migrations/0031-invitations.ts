import { type Kysely, sql } from 'kysely'

/**
 * Invitations that are listed and taken back (ADR 231). One that has ended stays until it would have expired: it counts
 * among the mails of its day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE invitations
      ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
      ADD COLUMN mailed boolean NOT NULL DEFAULT true,
      ADD COLUMN ended_at timestamptz`.execute(db)
  await sql`CREATE UNIQUE INDEX invitations_id ON invitations (id)`.execute(db)
}
