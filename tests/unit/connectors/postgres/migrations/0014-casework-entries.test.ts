import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { expect, test } from 'vitest'
import { up as casework } from '../../../../../connectors/postgres/migrations/0011-casework.ts'
import { up as entries } from '../../../../../connectors/postgres/migrations/0014-casework-entries.ts'

const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

test('entries of the version before get their kind, and the order that they had', async () => {
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
  try {
    await casework(db)
    for (const [n, kind] of ['watchlist', 'conversation', 'case'].entries())
      await sql`
        INSERT INTO casework_records VALUES
          (${uuid(n)}, ${kind}, ${uuid(9)}, ${uuid(9)}, '{}', NULL, to_timestamp(0), to_timestamp(0))`.execute(db)
    const added = [
      { id: uuid(12), record: uuid(0), at: 2 },
      { id: uuid(11), record: uuid(0), at: 2 },
      { id: uuid(13), record: uuid(0), at: 1 },
      { id: uuid(14), record: uuid(1), at: 7 },
    ]
    for (const { id, record, at } of added)
      await sql`
        INSERT INTO casework_entries VALUES (${id}, ${record}, '{"content":"x"}', to_timestamp(${at}))`.execute(db)
    await entries(db)
    const all = await sql`SELECT id, kind, seq, key, words FROM casework_entries ORDER BY id`.execute(db)
    const rest = { key: null, words: null }
    expect(all.rows).toEqual([
      { id: uuid(11), kind: 'item', seq: 1, ...rest },
      { id: uuid(12), kind: 'item', seq: 2, ...rest },
      { id: uuid(13), kind: 'item', seq: 0, ...rest },
      { id: uuid(14), kind: 'message', seq: 0, ...rest },
    ])
    const records = await sql`
      SELECT next_seq, extract(epoch FROM last_entry_at)::int AS last FROM casework_records ORDER BY id`.execute(db)
    expect(records.rows).toEqual([
      { next_seq: 3, last: 2 },
      { next_seq: 1, last: 7 },
      { next_seq: 0, last: null },
    ])
  } finally {
    await db.destroy()
  }
})
