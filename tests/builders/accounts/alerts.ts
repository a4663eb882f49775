/** Alerts as the job leaves them in the database. */

import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { CaseworkTables } from '../../../connectors/postgres/tables/casework-tables.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'

export type AlertRow = Insertable<CaseworkTables['casework_alerts']>

type Whose = Pick<AlertRow, 'customer_id' | 'user_id'>

/** Answers their ids, in the order of the rows. */
export async function addAlerts(
  db: AccountsDatabase['db'],
  rows: readonly (Whose & Partial<AlertRow>)[],
): Promise<string[]> {
  const made = rows.map((row, n): AlertRow => {
    const created_at = row.created_at ?? new Date(1_800_000_000_000 + n)
    return {
      id: randomUUID(),
      watchlist_id: randomUUID(),
      item_id: randomUUID(),
      entity_id: entityId('ip', '203.0.113.7'),
      entity_type: 'ip',
      entity_value: '203.0.113.7',
      reputation: -2,
      matched_kind: 'value',
      matched_on: '203.0.113.7',
      created_at,
      last_at: created_at,
      readable_by: ['public'],
      partition: 0,
      last_offset: n,
      ...row,
    }
  })
  if (made.length > 0) await db.insertInto('casework_alerts').values(made).execute()
  return made.map(({ id }) => id)
}
