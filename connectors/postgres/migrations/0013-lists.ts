import { type Kysely, sql } from 'kysely'

/** Users, and the scans of one user, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX users_created ON users (created_at, id)`.execute(db)
  await sql`CREATE INDEX scan_tasks_user ON scan_tasks (user_id, created_at, id)`.execute(db)
}
