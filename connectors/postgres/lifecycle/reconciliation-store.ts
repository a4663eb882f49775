/** What missed events have left behind, as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { CASEWORK_KINDS } from '../../../schemas/casework/casework.ts'
import { MAX_INSTANCES } from '../accounts/instances/instance-rows.ts'
import { holdCustomer } from '../accounts/plan/member-quotas.ts'
import type { Quota } from '../accounts/plan/port.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import { quotaOf } from '../casework/casework-rows.ts'
import { MAX_FEEDS } from '../feeds-out/feed-quota.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { OrphanKind, Orphans, QuotaDrift, Reconciliation } from './port.ts'

const TURN = 'reconciliation'

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** By one look at the index for each owner: there may be millions of alerts. */
const OWNERS_OF_ALERTS = `
  WITH RECURSIVE owners AS (
    (SELECT customer_id, user_id FROM casework_alerts ORDER BY customer_id, user_id LIMIT 1)
    UNION ALL
    SELECT next.customer_id, next.user_id FROM owners, LATERAL (
      SELECT a.customer_id, a.user_id FROM casework_alerts AS a
      WHERE (a.customer_id, a.user_id) > (owners.customer_id, owners.user_id)
      ORDER BY a.customer_id, a.user_id LIMIT 1) AS next)
  SELECT customer_id, user_id FROM owners`

const OWNED: Record<OrphanKind, RawBuilder<unknown>> = {
  instances: sql`SELECT customer_id, user_id, NULL AS role FROM instances`,
  casework: sql`
    SELECT customer_id, user_id, NULL AS role FROM casework_records
    UNION ALL SELECT customer_id, user_id, NULL FROM casework_alert_reads
    UNION ALL SELECT customer_id, user_id, NULL FROM (${sql.raw(OWNERS_OF_ALERTS)}) AS of_alerts`,
  memberships: sql`SELECT customer_id, user_id, role FROM memberships`,
}

export function reconciliation(db: Kysely<Tables>, tiers: Tiers): Reconciliation {
  return {
    async takeTurn(now, everyMs) {
      const { rows } = await sql`
        INSERT INTO job_turns AS t (name, next_at) VALUES (${TURN}, ${new Date(now + everyMs)})
        ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE t.next_at <= ${new Date(now)}
        RETURNING name`.execute(db)
      return rows.length > 0
    },

    async orphans(kind, after, limit) {
      const { rows } = await sql<Orphans>`
        SELECT o.customer_id AS "customerId", o.user_id AS "userId", u.id IS NULL AS "userGone", max(o.role) AS role,
               count(*) AS rows
        FROM (${OWNED[kind]}) AS o
        LEFT JOIN customers c ON c.id = o.customer_id
        LEFT JOIN users u ON u.id = o.user_id
        WHERE (c.id IS NULL OR u.id IS NULL)
          AND (o.customer_id, o.user_id) > (${after?.customerId ?? FIRST}::uuid, ${after?.userId ?? FIRST}::uuid)
        GROUP BY o.customer_id, o.user_id, u.id IS NULL ORDER BY o.customer_id, o.user_id LIMIT ${limit}`.execute(db)
      return rows
    },

    async ownerless(after, limit) {
      const { rows } = await sql<{ id: string }>`
        SELECT c.id FROM customers c WHERE c.id > ${after ?? FIRST}::uuid
          AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.customer_id = c.id AND m.role = 'owner'
              AND m.accepted_at IS NOT NULL)
        ORDER BY c.id LIMIT ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },

    async drift(after, limit) {
      const query = db
        .selectFrom('customers')
        .select('id')
        .where('id', '>', after ?? FIRST)
      const ids = (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id)
      return { drift: ids.length === 0 ? [] : await findDrift(db, ids), last: ids.at(-1) ?? null }
    },

    correct: (drift) =>
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (tx) => {
          const { customerId, quota } = drift
          // Whoever makes or ends something holds the customer, shared with its like, until it is counted.
          await holdCustomer(tx, customerId, 'update')
          const there = await trueCount(tx, drift)
          const counter = await tx
            .selectFrom('quota_usage')
            .select('used')
            .where('customer_id', '=', customerId)
            .where('service', '=', quota.service)
            .where('feature', '=', quota.featureKey)
            .executeTakeFirst()
          if ((counter?.used ?? 0) === there) return false
          await kyselyQuotas(tx, tiers).reconcile(customerId, quota, there)
          return true
        }),

    async oldestUnpublished() {
      const query = db.selectFrom('outbox').select('created_at').where('published_at', 'is', null)
      const row = await query.orderBy('seq').limit(1).executeTakeFirst()
      return row?.created_at.getTime() ?? null
    },
  }
}

/** What is counted, by the customers that have it: instances, feeds, and the kinds of casework. */
const COUNTED: readonly { quota: Quota; rows: RawBuilder<unknown> }[] = [
  { quota: MAX_INSTANCES, rows: sql`SELECT customer_id FROM instances` },
  { quota: MAX_FEEDS, rows: sql`SELECT owner_id AS customer_id FROM feeds WHERE owner_kind = 'customer'` },
  ...CASEWORK_KINDS.map((kind) => ({
    quota: quotaOf(kind),
    rows: sql`SELECT customer_id FROM casework_records WHERE kind = ${kind}`,
  })),
]

/** Counters of these customers that are not what there is. */
async function findDrift(db: Kysely<Tables>, customers: readonly string[]): Promise<QuotaDrift[]> {
  const all: QuotaDrift[] = []
  for (const { quota, rows } of COUNTED) {
    const found = await sql<{ id: string }>`
      SELECT c.id FROM customers c
      LEFT JOIN quota_usage q
        ON q.customer_id = c.id AND q.service = ${quota.service} AND q.feature = ${quota.featureKey}
      LEFT JOIN (SELECT customer_id, count(*) AS there FROM (${rows}) AS one GROUP BY customer_id) AS counted
        ON counted.customer_id = c.id
      WHERE c.id IN (${sql.join(customers)}) AND coalesce(q.used, 0) <> coalesce(counted.there, 0)
      ORDER BY c.id`.execute(db)
    for (const { id } of found.rows) all.push({ customerId: id, quota })
  }
  return all
}

/** How many there are of what a quota counts. */
async function trueCount(db: Kysely<Tables>, { customerId, quota }: QuotaDrift): Promise<number> {
  const counted = COUNTED.find(
    (one) => one.quota.service === quota.service && one.quota.featureKey === quota.featureKey,
  )
  if (counted === undefined) throw new RangeError(`the quota ${quota.service} ${quota.featureKey} has no counter`)
  const { rows } = await sql<{ there: number }>`
    SELECT count(*) AS there FROM (${counted.rows}) AS one WHERE customer_id = ${customerId}`.execute(db)
  return rows[0]!.there
}
