import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import type { User, UserQuestion } from './port.ts'
import { userOf } from './user-rows.ts'

/** Newest first, and how many there are. */
export async function listUsers(db: Kysely<Tables>, question: UserQuestion): Promise<{ items: number; users: User[] }> {
  const wanted = conditions(question)
  const { items, ids } = wanted.length === 0 ? await newestPage(db, question) : await matching(db, question, wanted)
  if (ids.length === 0) return { items, users: [] }
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
  const users = rows.map(userOf).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  return { items, users }
}

type Found = { items: number; ids: string[] }

function conditions({ query, role, enabled, check }: UserQuestion): RawBuilder<unknown>[] {
  const wanted: RawBuilder<unknown>[] = []
  if (query !== undefined) {
    const like = `%${query.replace(/[\\%_]/g, '\\$&')}%`
    wanted.push(sql`(lower(email) LIKE lower(${like}::text) OR lower(alias) LIKE lower(${like}::text))`)
  }
  if (role !== undefined)
    wanted.push(sql`(${role}::text = ANY (roles)
      OR id IN (SELECT user_id FROM mapped_rights WHERE ${role}::text = ANY (mapped_rights.roles)))`)
  if (enabled !== undefined) wanted.push(sql`disabled = ${!enabled}::boolean`)
  if (check !== undefined)
    wanted.push(sql`id IN (SELECT user_id FROM identity_checks WHERE identity_checks.status = ${check}::text)`)
  return wanted
}

/** The page out of the index of times. */
async function newestPage(db: Kysely<Tables>, { limit, page }: UserQuestion): Promise<Found> {
  const all = db.selectFrom('users')
  const { items } = await all.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
  const offset = (page - 1) * limit
  if (offset >= items) return { items, ids: [] }
  const newest = all.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset)
  return { items, ids: (await newest.execute()).map(({ id }) => id) }
}

/** The filter has no index: one pass over all users finds the page and counts. */
async function matching(
  db: Kysely<Tables>,
  { limit, page }: UserQuestion,
  wanted: RawBuilder<unknown>[],
): Promise<Found> {
  const { rows } = await sql<{ items: number; ids: string[] }>`
    WITH found AS MATERIALIZED (SELECT id, created_at FROM users WHERE ${sql.join(wanted, sql` AND `)})
    SELECT (SELECT count(*) FROM found) AS items, ARRAY(
      SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit})::text[] AS ids
  `.execute(db)
  return rows[0]!
}
