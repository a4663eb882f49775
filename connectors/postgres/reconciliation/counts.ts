/** The counters of quotas beside what they count. */

import { type Kysely, sql } from 'kysely'
import { CASEWORK_KINDS, type CaseworkKind } from '../../../schemas/casework/casework.ts'
import { quotaOf } from '../casework/rows.ts'
import { MAX_INSTANCES } from '../instances/rows.ts'
import type { Quota } from '../quotas/port.ts'
import type { Tables } from '../tables/tables.ts'
import type { QuotaDrift } from './port.ts'

/** What is counted: instances, and the kinds of casework. */
const COUNTED: readonly { quota: Quota; kind: CaseworkKind | null }[] = [
  { quota: MAX_INSTANCES, kind: null },
  ...CASEWORK_KINDS.map((kind) => ({ quota: quotaOf(kind), kind })),
]

/** Counters of these customers that are not what there is. */
export async function findDrift(db: Kysely<Tables>, customers: readonly string[]): Promise<QuotaDrift[]> {
  const all: QuotaDrift[] = []
  for (const { quota, kind } of COUNTED) {
    const rows =
      kind === null
        ? sql`SELECT customer_id FROM instances`
        : sql`SELECT customer_id FROM casework_records WHERE kind = ${kind}`
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
  const { kind } = counted
  const { rows } = await (kind === null
    ? sql<{ there: number }>`SELECT count(*) AS there FROM instances WHERE customer_id = ${customerId}`
    : sql<{ there: number }>`
        SELECT count(*) AS there FROM casework_records WHERE customer_id = ${customerId} AND kind = ${kind}`
  ).execute(db)
  return rows[0]!.there
}
