import { type Kysely, sql } from 'kysely'

/**
 * A membership that its user has not accepted is an invitation (decisions 2.3): several may wait, one is accepted. Those
 * that wait already stay and give nothing from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE memberships DROP CONSTRAINT memberships_user_id_key`.execute(db)
  await sql`CREATE UNIQUE INDEX memberships_user ON memberships (user_id) WHERE accepted_at IS NOT NULL`.execute(db)
  await sql`CREATE UNIQUE INDEX memberships_invited ON memberships (user_id, customer_id)`.execute(db)
  // Who watches what follows from the membership: it begins when the user accepts.
  await sql`DROP TRIGGER watcher_moved ON memberships`.execute(db)
  await sql`
    CREATE CONSTRAINT TRIGGER watcher_moved AFTER UPDATE ON memberships
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id OR OLD.customer_id IS DISTINCT FROM NEW.customer_id
        OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at)
      EXECUTE FUNCTION casework_watch_moved('user_id')`.execute(db)
}
