import { type Kysely, sql } from 'kysely'

/**
 * Commits that leave work for a worker notify the channel `harrier_work` of its kind (ADR 189). For each row, so that a
 * statement that changed nothing notifies nobody; PostgreSQL joins equal notifications of a transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION harrier_work() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('harrier_work', TG_ARGV[0]);
      RETURN NULL;
    END $$`.execute(db)
  // Many rows in one statement are usual here, and no statement inserts none.
  await sql`
    CREATE TRIGGER outbox_work AFTER INSERT ON outbox
      FOR EACH STATEMENT EXECUTE FUNCTION harrier_work('outbox')`.execute(db)
  await sql`
    CREATE TRIGGER webhook_deliveries_work AFTER INSERT OR UPDATE OF next_at ON webhook_deliveries
      FOR EACH ROW EXECUTE FUNCTION harrier_work('webhooks')`.execute(db)
  await sql`
    CREATE TRIGGER instances_work AFTER INSERT OR UPDATE OF due_at ON instances
      FOR EACH ROW WHEN (NEW.due_at IS NOT NULL) EXECUTE FUNCTION harrier_work('instances')`.execute(db)
  await sql`
    CREATE TRIGGER lifecycle_retries_work AFTER INSERT OR DELETE OR UPDATE OF next_at ON lifecycle_retries
      FOR EACH ROW EXECUTE FUNCTION harrier_work('lifecycle')`.execute(db)
  // A run that ends makes room for the next scan of its target.
  await sql`
    CREATE TRIGGER scan_tasks_queued AFTER INSERT OR UPDATE OF status ON scan_tasks
      FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION harrier_work('scans')`.execute(db)
  await sql`
    CREATE TRIGGER scan_tasks_left AFTER DELETE OR UPDATE OF status ON scan_tasks
      FOR EACH ROW WHEN (OLD.status = 'running') EXECUTE FUNCTION harrier_work('scans')`.execute(db)
}
