import { type Kysely, sql } from 'kysely'
import type { User, UserQuestion } from '../port.ts'
import { userOf } from './rows.ts'
import type { Tables } from './tables.ts'

/** Newest first, and how many there are. */
export async function listUsers(db: Kysely<Tables>, asked: UserQuestion): Promise<{ items: number; users: User[] }> {
  const { items, ids } = asked.query === undefined ? await everyone(db, asked) : await matching(db, asked, asked.query)
  if (ids.length === 0) return { items, users: [] }
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
  const users = rows.map(userOf).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  return { items, users }
}

type Found = { items: number; ids: string[] }

/** The page out of the index of times. */
async function everyone(db: Kysely<Tables>, { limit, page }: UserQuestion): Promise<Found> {
  const all = db.selectFrom('users')
  const { items } = await all.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
  const offset = (page - 1) * limit
  if (offset >= items) return { items, ids: [] }
  const newest = all.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset)
  return { items, ids: (await newest.execute()).map(({ id }) => id) }
}

/** A part of a text is in no index: one pass over all users finds the page and counts. */
async function matching(db: Kysely<Tables>, { limit, page }: UserQuestion, query: string): Promise<Found> {
  const like = `%${query.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<{ items: number; ids: string[] }>`
    WITH found AS MATERIALIZED (
      SELECT id, created_at FROM users WHERE lower(email) LIKE lower(${like}::text) OR lower(alias) LIKE lower(${like}::text))
    SELECT (SELECT count(*) FROM found) AS items, ARRAY(
      SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit})::text[] AS ids
  `.execute(db)
  return rows[0]!
}
