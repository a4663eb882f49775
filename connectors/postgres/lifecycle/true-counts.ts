/** The counters of quotas beside what they count. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { CASEWORK_KINDS } from '../../../schemas/casework/casework.ts'
import { MAX_INSTANCES } from '../accounts/instances/instance-rows.ts'
import type { Quota } from '../accounts/plan/port.ts'
import { quotaOf } from '../casework/records/casework-rows.ts'
import { MAX_FEEDS } from '../feeds-out/feed-quota.ts'
import type { Tables } from '../tables/tables.ts'
import type { QuotaDrift } from './reconciliation/port.ts'

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
export async function findDrift(db: Kysely<Tables>, customers: readonly string[]): Promise<QuotaDrift[]> {
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
export async function trueCount(db: Kysely<Tables>, { customerId, quota }: QuotaDrift): Promise<number> {
  const counted = COUNTED.find(
    (one) => one.quota.service === quota.service && one.quota.featureKey === quota.featureKey,
  )
  if (counted === undefined) throw new RangeError(`the quota ${quota.service} ${quota.featureKey} has no counter`)
  const { rows } = await sql<{ there: number }>`
    SELECT count(*) AS there FROM (${counted.rows}) AS one WHERE customer_id = ${customerId}`.execute(db)
  return rows[0]!.there
}
