/** What belongs to one record: items of a watchlist, messages of a conversation. */

import type { Kysely } from 'kysely'
import type { Tables } from '../accounts/kysely/tables.ts'
import type { CaseworkEntries, Place } from './port.ts'
import { entryOf, recordAt } from './rows.ts'

export function kyselyCaseworkEntries(db: Kysely<Tables>): CaseworkEntries {
  /** With the record, so that another owner's has none. */
  const of = (record: Place) =>
    recordAt(db, record).innerJoin('casework_entries as entry', 'entry.record_id', 'casework_records.id')
  const columns = ['entry.id', 'entry.content', 'entry.created_at'] as const

  return {
    add: (record, entry, max) =>
      db.transaction().execute(async (tx) => {
        // Held, so that several who add at once count one after the other.
        const held = await recordAt(tx, record).select('id').forUpdate().executeTakeFirst()
        if (held === undefined) return 'no record'
        const { items } = await tx
          .selectFrom('casework_entries')
          .where('record_id', '=', held.id)
          .select(({ fn }) => fn.countAll<number>().as('items'))
          .executeTakeFirstOrThrow()
        if (items >= max) return 'full'
        const { id, content, createdAt } = entry
        await tx
          .insertInto('casework_entries')
          .values({ id, record_id: held.id, content: JSON.stringify(content), created_at: new Date(createdAt) })
          .execute()
        return 'added'
      }),

    async list(record, { limit, offset }) {
      const known = await recordAt(db, record).select('id').executeTakeFirst()
      if (known === undefined) return null
      const oldest = of(record).select(columns).orderBy('entry.created_at').orderBy('entry.id')
      const rows = await oldest.limit(limit).offset(offset).execute()
      const { items } = await of(record)
        .select(({ fn }) => fn.countAll<number>().as('items'))
        .executeTakeFirstOrThrow()
      return { entries: rows.map(entryOf), items }
    },

    async entry(record, id) {
      const row = await of(record).where('entry.id', '=', id).select(columns).executeTakeFirst()
      return row === undefined ? null : entryOf(row)
    },

    async remove(record, id) {
      const { numDeletedRows } = await db
        .deleteFrom('casework_entries')
        .where('id', 'in', of(record).where('entry.id', '=', id).select('entry.id'))
        .executeTakeFirstOrThrow()
      return numDeletedRows === 1n
    },
  }
}
