/** Search in the questions and answers of conversations (ADR 168). */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import type { CaseworkEntries } from '../port.ts'
import { ENTRY_COLUMNS, entryOf, recordOf, recordsOf } from './casework-rows.ts'

/** Maximum number of words of one search; further words are ignored. */
const MAX_WORDS = 32

/** What has no letter and no digit is no word. */
const WORD = /[\p{L}\p{N}]/u

export function turnSearch(db: Kysely<Tables>): CaseworkEntries['search'] {
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
