import { type Kysely, sql } from 'kysely'

/** What teams, and users without one, did about entities (ADR 239). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE casework_triage (
      owner_kind text NOT NULL,
      owner_id uuid NOT NULL,
      entity_id text NOT NULL,
      handled_at timestamptz,
      handled_by uuid,
      handled_reputation smallint,
      assignee uuid,
      note text NOT NULL DEFAULT '',
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (owner_kind, owner_id, entity_id)
    )`.execute(db)
  await sql`CREATE INDEX casework_triage_age ON casework_triage (owner_kind, owner_id, updated_at)`.execute(db)
  await sql`
    CREATE INDEX casework_triage_assignee ON casework_triage (owner_id, assignee) WHERE assignee IS NOT NULL`.execute(
    db,
  )
}
