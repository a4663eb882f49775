/** Rows of casework <-> records of the port. */

import type { Insertable, Kysely, Selectable } from 'kysely'
import {
  CASEWORK_KINDS,
  type CaseworkKind,
  type Content,
  ENTRY_KINDS,
  type EntryKind,
  QUOTA_KEYS,
} from '../../../schemas/casework/casework.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import type { Quota } from '../accounts/plan/port.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { CaseworkTables } from '../tables/casework-tables.ts'
import type { CaseworkRecord, Entry, NewEntry, NewRecord, RecordKey } from './port.ts'

export const quotaOf = (kind: CaseworkKind): Quota => ({ service: 'casework-api', featureKey: QUOTA_KEYS[kind] })

/** All records of a kind of one owner. */
export const recordsOf = (db: Kysely<Tables>, owner: Owner, kind: CaseworkKind) =>
  db
    .selectFrom('casework_records')
    .where('casework_records.kind', '=', kind)
    .where('customer_id', '=', owner.customerId)
    .where('user_id', '=', owner.userId)

/** The one record of its owner. */
export const recordAt = (db: Kysely<Tables>, { owner, kind, id }: RecordKey) =>
  recordsOf(db, owner, kind).where('casework_records.id', '=', id)

export const recordRow = (record: NewRecord): Insertable<CaseworkTables['casework_records']> => ({
  id: record.id,
  kind: record.kind,
  customer_id: record.owner.customerId,
  user_id: record.owner.userId,
  content: JSON.stringify(record.content),
  case_id: record.caseId,
  created_at: new Date(record.createdAt),
  updated_at: new Date(record.updatedAt),
})

export const recordOf = (row: Selectable<CaseworkTables['casework_records']>): CaseworkRecord => ({
  id: row.id,
  kind: kindOf<CaseworkKind>(CASEWORK_KINDS, row.kind),
  owner: { customerId: row.customer_id, userId: row.user_id },
  content: row.content as Content,
  caseId: row.case_id,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  nextSeq: row.next_seq,
  lastEntryAt: row.last_entry_at?.getTime() ?? null,
})

/** Everything of an entry but the index of its words. */
export const ENTRY_COLUMNS = [
  'entry.id',
  'entry.kind',
  'entry.seq',
  'entry.key',
  'entry.content',
  'entry.created_at',
] as const

type EntryRow = Omit<Selectable<CaseworkTables['casework_entries']>, 'record_id' | 'words'>

export const entryRow = (recordId: string, { id, kind, seq, key, content, createdAt }: NewEntry & { seq: number }) => ({
  id,
  record_id: recordId,
  kind,
  seq,
  key,
  content: JSON.stringify(content),
  created_at: new Date(createdAt),
})

export const entryOf = (row: EntryRow): Entry => ({
  id: row.id,
  kind: kindOf<EntryKind>(ENTRY_KINDS, row.kind),
  seq: row.seq,
  key: row.key,
  content: row.content as Content,
  createdAt: row.created_at.getTime(),
})

/** A word that a newer version stored must not pass for one that we know. Throws. */
export function kindOf<Kind extends string>(kinds: readonly Kind[], text: string): Kind {
  const kind = kinds.find((one) => one === text)
  if (kind === undefined) throw new RangeError(`unknown kind of casework: ${text}`)
  return kind
}
