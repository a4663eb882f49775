/** Instances and casework of members, made as the API makes them. */

import { randomUUID } from 'node:crypto'
import { kyselyInstances } from '../../../connectors/postgres/accounts/instances/instance-store.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { type CaseworkKind, DEFAULTS } from '../../../schemas/casework/casework.ts'
import { TIERS } from '../lifecycle/handlers.ts'
import { addAlerts } from './alerts.ts'
import type { People } from './team.ts'

const NOW = 1_800_000_000_000
const KINDS = ['case', 'watchlist', 'conversation', 'search'] as const

type Counted = 'instances' | 'casework_records' | 'casework_alert_reads' | 'casework_alerts'

export function assetsOf({ db }: Pick<People, 'db'>) {
  const instances = kyselyInstances(db, TIERS)
  const casework = kyselyCasework(db, TIERS)
  const count = async (table: Counted, customerId: string) => {
    const query = db.selectFrom(table).select(['user_id']).where('customer_id', '=', customerId)
    return (await query.execute()).map((row) => row.user_id).sort()
  }
  return {
    /** Created later with every call of a test that says so. */
    async instance(customerId: string, userId: string, given: { status?: string; createdAt?: number } = {}) {
      const id = randomUUID()
      const { status, createdAt = NOW } = given
      const one = { id, customerId, userId, name: 'one', zone: 'a', machineType: 'small', templateId: null, createdAt }
      const made = await instances.create({ ...one, status: 'PROVISIONING' }, NOW * 2)
      if (made !== 'created') throw new Error(`no instance: ${made}`)
      if (status !== undefined) {
        const due_at = status === 'RUNNING' || status === 'STOPPED' ? null : new Date(NOW * 2)
        await db.updateTable('instances').set({ status, due_at }).where('id', '=', id).execute()
      }
      return id
    },
    /** One of each kind, an alert, and what was read of the alerts. */
    async casework(customerId: string, userId: string) {
      const owner = { customerId, userId }
      for (const kind of KINDS) {
        const content = { ...DEFAULTS[kind as CaseworkKind], title: 'one', name: 'one', query: {} }
        const stamps = { createdAt: NOW, updatedAt: NOW }
        const made = await casework.records.create({ id: randomUUID(), owner, kind, content, caseId: null, ...stamps })
        if (made !== 'created') throw new Error(`no ${kind}: ${made}`)
      }
      await db
        .insertInto('casework_alert_reads')
        .values({ customer_id: customerId, user_id: userId, read_until: null, read_ids: [], updated_at: new Date(NOW) })
        .execute()
      await addAlerts(db, [{ customer_id: customerId, user_id: userId }])
    },
    status: async (id: string) =>
      (await db.selectFrom('instances').select('status').where('id', '=', id).executeTakeFirst())?.status,
    instanceIds: async (customerId: string) =>
      (
        await db
          .selectFrom('instances')
          .select('id')
          .where('customer_id', '=', customerId)
          .orderBy('created_at')
          .execute()
      ).map(({ id }) => id),
    /** Whose they are, one word for each row. */
    instances: (customerId: string) => count('instances', customerId),
    records: (customerId: string) => count('casework_records', customerId),
    alertReads: (customerId: string) => count('casework_alert_reads', customerId),
    alerts: (customerId: string) => count('casework_alerts', customerId),
    /** The counters of quotas, by key. */
    async counters(customerId: string): Promise<Record<string, number>> {
      const query = db.selectFrom('quota_usage').select(['feature', 'used']).where('customer_id', '=', customerId)
      return Object.fromEntries((await query.execute()).map(({ feature, used }) => [feature, used]))
    },
  }
}
