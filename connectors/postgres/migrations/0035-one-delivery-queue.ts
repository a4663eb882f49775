import { type Kysely, sql } from 'kysely'

/**
 * One queue of deliveries for webhooks of scans and for alerts (ADR 263). The lease and the place of a destination move
 * from its row to `delivery_queues`, `alert_deliveries` becomes `deliveries`, and both take over the webhooks under their
 * ids, with their leases and tries. A process of before waits for the locks with a change that it has begun, which is
 * moved too; later ones of its changes fail whole.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`LOCK TABLE webhook_deliveries, alert_destinations, alert_deliveries IN ACCESS EXCLUSIVE MODE`.execute(db)
  // What is leased: the queue of a destination, or that of the one webhook of an end of a scan. Its id is theirs.
  await sql`
    CREATE TABLE delivery_queues (
      id uuid PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('scan', 'alert')),
      host text NOT NULL,
      due_at timestamptz,
      gather_until timestamptz,
      storms integer NOT NULL DEFAULT 0,
      begun_to bigint NOT NULL DEFAULT 0,
      recent timestamptz[] NOT NULL DEFAULT '{}',
      holder uuid,
      lease_until timestamptz NOT NULL DEFAULT 'epoch',
      fence integer NOT NULL DEFAULT 0
    )`.execute(db)
  await moveDestinations(db)
  await renameDeliveries(db)
  await moveWebhooks(db)
  await sql`
    CREATE INDEX delivery_queues_due ON delivery_queues (kind, due_at, id) WHERE due_at IS NOT NULL`.execute(db)
  // After the rows: what is moved is found by the first look of a process.
  for (const [kind, work] of [
    ['scan', 'webhooks'],
    ['alert', 'deliveries'],
  ] as const)
    await sql`
      CREATE TRIGGER ${sql.id(`delivery_queues_${kind}`)} AFTER INSERT OR UPDATE OF due_at ON delivery_queues
        FOR EACH ROW WHEN (NEW.due_at IS NOT NULL AND NEW.kind = ${sql.lit(kind)})
        EXECUTE FUNCTION harrier_work(${sql.lit(work)})`.execute(db)
}

async function moveDestinations(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO delivery_queues
      (id, kind, host, due_at, gather_until, storms, begun_to, recent, holder, lease_until, fence)
    SELECT id, 'alert', host, due_at, gather_until, storms, begun_to, recent, holder, lease_until, fence
    FROM alert_destinations`.execute(db)
  await sql`DROP TRIGGER alert_destinations_work ON alert_destinations`.execute(db)
  await sql`
    ALTER TABLE alert_destinations
      DROP COLUMN host, DROP COLUMN due_at, DROP COLUMN gather_until, DROP COLUMN storms, DROP COLUMN begun_to,
      DROP COLUMN recent, DROP COLUMN holder, DROP COLUMN lease_until, DROP COLUMN fence,
      ADD FOREIGN KEY (id) REFERENCES delivery_queues ON DELETE CASCADE`.execute(db)
}

/** Of a webhook: the request as it was asked for. It has neither an alert nor a range of them. */
async function renameDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE alert_deliveries RENAME TO deliveries`.execute(db)
  await sql`ALTER TABLE deliveries RENAME COLUMN destination_id TO queue_id`.execute(db)
  await sql`ALTER SEQUENCE alert_deliveries_seq_seq RENAME TO deliveries_seq_seq`.execute(db)
  await sql`
    ALTER TABLE deliveries
      DROP CONSTRAINT alert_deliveries_destination_id_fkey,
      DROP CONSTRAINT alert_deliveries_check,
      ADD COLUMN url text CHECK (length(url) <= 2048),
      ADD COLUMN headers jsonb,
      ADD COLUMN secret text CHECK (length(secret) <= 256),
      ADD COLUMN body bytea CHECK (octet_length(body) <= 65536),
      ADD FOREIGN KEY (queue_id) REFERENCES delivery_queues ON DELETE CASCADE,
      ADD CHECK (num_nonnulls(alert_id, to_seq, body) = 1),
      ADD CHECK ((to_seq IS NULL) = (after_seq IS NULL)),
      ADD CHECK (num_nonnulls(url, headers, secret, body) IN (0, 4))`.execute(db)
  await sql`ALTER TABLE deliveries RENAME CONSTRAINT alert_deliveries_pkey TO deliveries_pkey`.execute(db)
  await sql`
    ALTER TABLE deliveries
      RENAME CONSTRAINT alert_deliveries_destination_id_alert_id_key TO deliveries_queue_id_alert_id_key`.execute(db)
  await sql`ALTER TABLE deliveries RENAME CONSTRAINT alert_deliveries_state_check TO deliveries_state_check`.execute(db)
  for (const name of ['order', 'trying', 'finished', 'fresh'])
    await sql`ALTER INDEX ${sql.id(`alert_deliveries_${name}`)} RENAME TO ${sql.id(`deliveries_${name}`)}`.execute(db)
  await sql`DROP INDEX alert_deliveries_digests`.execute(db)
  await sql`
    CREATE INDEX deliveries_digests ON deliveries (queue_id, to_seq) WHERE to_seq IS NOT NULL`.execute(db)
}

async function moveWebhooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO delivery_queues (id, kind, host, due_at, holder, lease_until, fence)
    SELECT id, 'scan', host, CASE WHEN state = 'waiting' THEN next_at END, holder, lease_until, fence
    FROM webhook_deliveries`.execute(db)
  await sql`
    INSERT INTO deliveries
      (id, queue_id, message_id, state, attempts, next_at, last_error, created_at, finished_at, url, headers, secret, body)
    SELECT id, id, id::text, CASE state WHEN 'waiting' THEN 'trying' ELSE state END, attempts, next_at, last_error,
      created_at, finished_at, url, headers, secret, body
    FROM webhook_deliveries AS w ORDER BY w.created_at, w.id`.execute(db)
  await sql`DROP TABLE webhook_deliveries`.execute(db)
}
