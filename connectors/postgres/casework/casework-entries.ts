/** What belongs to one record: items of a watchlist, messages and turns of a conversation, notes and pins of a case. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables/all-tables.ts'
import { ENTRY_COLUMNS, entryOf, entryRow, recordAt, recordOf, recordsOf } from './casework-rows.ts'
import type { Adding, CaseworkEntries, CaseworkRecord, Entry, NewEntry, RecordKey } from './port.ts'

// Search in the questions and answers of conversations (ADR 280).

/** Maximum number of words of one search; further words are ignored. */
const MAX_WORDS = 32

/** What has no letter and no digit is no word. */
const WORD = /[\p{L}\p{N}]/u

function turnSearch(db: Kysely<Tables>): CaseworkEntries['search'] {
  return async (owner, words, { limit, offset }) => {
    const all = words.split(/\s+/).filter((word) => WORD.test(word))
    if (all.length === 0) return { found: [], items: 0 }
    const wanted = all.slice(0, MAX_WORDS).map((word, i, { length }) => holding(word, i === length - 1))
    const turns = recordsOf(db, owner, 'conversation')
      .innerJoin('casework_entries as entry', 'entry.record_id', 'casework_records.id')
      .where(sql<boolean>`entry.words @@ (${sql.join(wanted, sql` && `)})`)
    const newest = turns
      .select(['entry.record_id', ...ENTRY_COLUMNS])
      .orderBy('entry.created_at', 'desc')
      .orderBy('entry.id', 'desc')
    const rows = await newest.limit(limit).offset(offset).execute()
    const { items } = await turns.select(({ fn }) => fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
    const of = rows.map(({ record_id: id }) => id)
    const records =
      of.length === 0 ? [] : await recordsOf(db, owner, 'conversation').where('id', 'in', of).selectAll().execute()
    const byId = new Map(records.map((row) => [row.id, recordOf(row)]))
    // A conversation that was deleted meanwhile takes its turns along.
    const found = rows.flatMap((row) => {
      const record = byId.get(row.record_id)
      return record === undefined ? [] : [{ record, entry: entryOf(row) }]
    })
    return { found, items }
  }
}

/** A word as it is, or its parts one behind the other; of an unfinished one the last part is a beginning. */
function holding(word: string, unfinished: boolean): RawBuilder<string> {
  // The text of a query without words is empty, and null matches nothing.
  const query = (text: RawBuilder<string>) =>
    sql<string>`(nullif(phraseto_tsquery('simple', ${text})::text, '') || ${unfinished ? ':*' : ''})::tsquery`
  const whole = query(sql`casework_spaced(${word}, '.-_@')`)
  const parts = query(sql`casework_spaced(${word}, '')`)
  return sql`(${whole} || ${parts})`
}

export function kyselyCaseworkEntries(db: Kysely<Tables>): CaseworkEntries {
  /** With the record, so that another owner's has none. */
  const of = (record: RecordKey) =>
    recordAt(db, record).innerJoin('casework_entries as entry', 'entry.record_id', 'casework_records.id')

  return {
    add: (place, entry, adding) =>
      db.transaction().execute(async (tx) => {
        // Held, so that several who add at once count one after the other.
        const held = await recordAt(tx, place).selectAll().forNoKeyUpdate().executeTakeFirst()
        if (held === undefined) return 'no record'
        const record = recordOf(held)
        const same = await findRepeat(tx, record, entry, adding)
        if (same !== undefined) return { record, entry: same, added: false }
        const { items } = await tx
          .selectFrom('casework_entries')
          .where('record_id', '=', record.id)
          .where('kind', '=', entry.kind)
          .select(({ fn }) => fn.countAll<number>().as('items'))
          .executeTakeFirstOrThrow()
        if (items >= adding.max) return 'full'
        const stored = { ...entry, seq: record.nextSeq }
        await tx.insertInto('casework_entries').values(entryRow(record.id, stored)).execute()
        return { record: await noteEntry(tx, record, entry.createdAt), entry: stored, added: true }
      }),

    async list(place, kind, { limit, offset }) {
      const record = await recordAt(db, place).selectAll().executeTakeFirst()
      if (record === undefined) return null
      const all = of(place).where('entry.kind', '=', kind)
      const rows = await all.select(ENTRY_COLUMNS).orderBy('entry.seq').limit(limit).offset(offset).execute()
      const { items } = await all.select(({ fn }) => fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      return { record: recordOf(record), entries: rows.map(entryOf), items }
    },

    async among(records, kinds, max) {
      const entries = new Map<string, Entry[]>(records.map(({ id }) => [id, []]))
      const counts = new Map<string, number>(records.map(({ id }) => [id, 0]))
      if (records.length === 0) return { entries, counts }
      const ids = records.map(({ id }) => id)
      const all = db
        .selectFrom('casework_entries as entry')
        .where('entry.record_id', 'in', ids)
        .where('entry.kind', 'in', kinds)
      const order = sql`array_position(${ids}::uuid[], entry.record_id)`
      const first = all
        .select(['entry.record_id', ...ENTRY_COLUMNS])
        .orderBy(order)
        .orderBy('entry.seq')
        .limit(max)
      for (const row of await first.execute()) entries.get(row.record_id)!.push(entryOf(row))
      const counted = all.groupBy('entry.record_id').select(({ fn }) => fn.countAll<number>().as('items'))
      for (const { record_id: id, items } of await counted.select('entry.record_id').execute()) counts.set(id, items)
      return { entries, counts }
    },

    async entry(place, kind, id) {
      const record = await recordAt(db, place).selectAll().executeTakeFirst()
      const one = of(place).where('entry.kind', '=', kind).where('entry.id', '=', id)
      const row = await one.select(ENTRY_COLUMNS).executeTakeFirst()
      return record === undefined || row === undefined ? null : { record: recordOf(record), entry: entryOf(row) }
    },

    async remove(place, kind, which) {
      const all = of(place).where('entry.kind', '=', kind)
      const one = 'id' in which ? all.where('entry.id', '=', which.id) : all.where('entry.key', '=', which.key)
      const { numDeletedRows } = await db
        .deleteFrom('casework_entries')
        .where('id', 'in', one.select('entry.id'))
        .executeTakeFirstOrThrow()
      return numDeletedRows === 1n
    },

    search: turnSearch(db),
  }
}

/** The entry that this one would only repeat. */
async function findRepeat(
  tx: Transaction<Tables>,
  { id }: CaseworkRecord,
  { kind, key, content }: NewEntry,
  { sameSince }: Adding,
): Promise<Entry | undefined> {
  const all = tx.selectFrom('casework_entries as entry').where('entry.record_id', '=', id).where('kind', '=', kind)
  if (key !== null) {
    const row = await all.where('entry.key', '=', key).select(ENTRY_COLUMNS).executeTakeFirst()
    return row && entryOf(row)
  }
  if (sameSince === undefined) return undefined
  const same = sql<boolean>`entry.content = ${JSON.stringify(content)}::jsonb`.as('same')
  const last = await all
    .select([...ENTRY_COLUMNS, same])
    .orderBy('entry.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.same && last.created_at.getTime() >= sameSince ? entryOf(last) : undefined
}

/** The record once another entry stands in it; its times never go back. */
async function noteEntry(tx: Transaction<Tables>, { id }: CaseworkRecord, at: number): Promise<CaseworkRecord> {
  const time = new Date(at)
  const row = await tx
    .updateTable('casework_records')
    .set({
      next_seq: sql`next_seq + 1`,
      last_entry_at: sql`greatest(last_entry_at, ${time})`,
      updated_at: sql`greatest(updated_at, ${time})`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return recordOf(row)
}
