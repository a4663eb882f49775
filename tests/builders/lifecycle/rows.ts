/** The accounts database as the model has it: the rows of one history, before and after. */

import { sql } from 'kysely'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { newUser } from '../accounts/accounts.ts'
import { ADDRESS } from '../accounts/team.ts'
import type { LifecycleModel } from './model.ts'

type Db = AccountsDatabase['db']

/** In one round trip: there are hundreds of histories. */
export async function emptied(db: Db): Promise<void> {
  await sql`DO $$ BEGIN
    DELETE FROM casework_entries; DELETE FROM casework_records; DELETE FROM casework_alert_reads;
    DELETE FROM casework_alerts;
    DELETE FROM instances; DELETE FROM customers; DELETE FROM users; DELETE FROM outbox;
    DELETE FROM handled_events; DELETE FROM lifecycle_retries;
    UPDATE outbox_turn SET until = 'epoch';
  END $$`.execute(db)
}

export async function addUsers(db: Db, ids: readonly string[]): Promise<void> {
  const row = (id: string) => {
    const { email, fullName, alias, roles, groups } = newUser({ id })
    return { id, email, full_name: fullName, alias, roles, groups, created_at: new Date(0) }
  }
  await db.insertInto('users').values(ids.map(row)).execute()
}

export async function state(db: Db): Promise<ReturnType<LifecycleModel['state']>> {
  const lines = async (query: ReturnType<typeof sql<{ line: string }>>): Promise<string[]> =>
    (await query.execute(db)).rows.map(({ line }) => line).sort()
  return {
    users: await lines(
      sql`SELECT concat_ws(' ', id, CASE WHEN disabled THEN 'true' ELSE 'false' END) AS line FROM users`,
    ),
    customers: await lines(sql`SELECT concat_ws(' ', id, tier, quantity, subscription_status) AS line FROM customers`),
    members: await lines(sql`SELECT concat_ws(' ', customer_id, user_id, role) AS line FROM memberships`),
    instances: await lines(sql`SELECT concat_ws(' ', customer_id, user_id, id, status) AS line FROM instances`),
    casework: await lines(sql`
      SELECT concat_ws(' ', customer_id, user_id, kind, count(*)) AS line FROM (
        SELECT customer_id, user_id, kind FROM casework_records
        UNION ALL SELECT customer_id, user_id, 'alerts' FROM (
          SELECT customer_id, user_id FROM casework_alert_reads UNION SELECT customer_id, user_id FROM casework_alerts
        ) AS alerts
      ) AS one GROUP BY customer_id, user_id, kind`),
    counters: await lines(
      sql`SELECT concat_ws(' ', customer_id, feature, used) AS line FROM quota_usage WHERE used <> 0`,
    ),
  }
}

export const customerNamed = (id: string, ownerId: string, membershipId: string) => ({
  id,
  name: 'Acme',
  email: 'billing@example.com',
  billingAddress: ADDRESS,
  tier: 'Free',
  createdAt: 0,
  ownerId,
  membershipId,
})
