/** Rows of casework <-> records of the port. */

import type { Insertable, Kysely, Selectable } from 'kysely'
import { CASEWORK_KINDS, type CaseworkKind, type Content, QUOTA_KEYS } from '../../schemas/casework.ts'
import type { Tables } from '../accounts/kysely/tables.ts'
import type { Quota } from '../quotas/port.ts'
import type { CaseworkRecord, Entry, Place } from './port.ts'

export const quotaOf = (kind: CaseworkKind): Quota => ({ service: 'casework-api', featureKey: QUOTA_KEYS[kind] })

/** The one record of its owner. */
export const recordAt = (db: Kysely<Tables>, { owner, kind, id }: Place) =>
  db
    .selectFrom('casework_records')
    .where('casework_records.id', '=', id)
    .where('kind', '=', kind)
    .where('customer_id', '=', owner.customerId)
    .where('user_id', '=', owner.userId)

export const recordRow = (record: CaseworkRecord): Insertable<Tables['casework_records']> => ({
  id: record.id,
  kind: record.kind,
  customer_id: record.owner.customerId,
  user_id: record.owner.userId,
  content: JSON.stringify(record.content),
  case_id: record.caseId,
  created_at: new Date(record.createdAt),
  updated_at: new Date(record.updatedAt),
})

export const recordOf = (row: Selectable<Tables['casework_records']>): CaseworkRecord => ({
  id: row.id,
  kind: kindOf(row.kind),
  owner: { customerId: row.customer_id, userId: row.user_id },
  content: row.content as Content,
  caseId: row.case_id,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})

export const entryOf = (row: Pick<Selectable<Tables['casework_entries']>, 'id' | 'content' | 'created_at'>): Entry => ({
  id: row.id,
  content: row.content as Content,
  createdAt: row.created_at.getTime(),
})

/** A kind that a newer version stored must not pass for one that we know. Throws. */
function kindOf(text: string): CaseworkKind {
  const kind = CASEWORK_KINDS.find((known) => known === text)
  if (kind === undefined) throw new RangeError(`unknown kind of casework: ${text}`)
  return kind
}
