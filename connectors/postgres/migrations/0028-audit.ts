import { type Kysely, sql } from 'kysely'

/** Audit records on their way to the log, and the heads of their chains (ADR 228). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE audit_waiting (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      entry bytea NOT NULL
    )`.execute(db)
  await sql`
    CREATE TABLE audit_chains (
      partition integer PRIMARY KEY,
      count bigint NOT NULL,
      hash bytea NOT NULL
    )`.execute(db)
}
