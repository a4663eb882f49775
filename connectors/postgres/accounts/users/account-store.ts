/** Users and their credentials as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { appliedMigration } from '../../core/migrate.ts'
import type { AppendEvents } from '../../operation/outbox-store.ts'
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION } from '../../tables/refused.ts'
import type { Tables } from '../../tables/tables.ts'
import { addFirst } from './email-store.ts'
import type { Accounts, User, UserQuestion } from './port.ts'
import { updateUser } from './update-user.ts'
import {
  HELD_ROLES,
  KEY_COLUMNS,
  keyCredential,
  keyPairRow,
  knownRoles,
  sessionCredential,
  sessionRow,
  userOf,
  userRow,
  usersWithRights,
} from './user-rows.ts'

/** `append` stores the events of disabled users with the change. */
export function kyselyAccounts(db: Kysely<Tables>, append: AppendEvents): Accounts {
  const whoever = usersWithRights(db)

  return {
    async keyPairCredential(apiKey) {
      const row = await whoever
        .innerJoin('key_pairs', 'key_pairs.user_id', 'users.id')
        .select(KEY_COLUMNS)
        .where('key_pairs.api_key', '=', apiKey)
        .executeTakeFirst()
      return row === undefined ? null : keyCredential(row)
    },

    async sessionCredential(tokenHash) {
      const row = await whoever
        .innerJoin('sessions', 'sessions.user_id', 'users.id')
        .select(['sessions.id', 'sessions.expires_at', 'sessions.verified'])
        .where('sessions.token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row === undefined ? null : sessionCredential(row, tokenHash)
    },

    createUser: (user) =>
      insertUnlessRefused(() =>
        db.transaction().execute(async (tx) => {
          await tx.insertInto('users').values(userRow(user)).execute()
          await addFirst(tx, user.id, user.email, user.createdAt)
        }),
      ),

    async user(id) {
      const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : userOf(row)
    },

    async rolesOf(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('users')
        .leftJoin('mapped_rights', 'mapped_rights.user_id', 'users.id')
        .select(['users.id', HELD_ROLES])
        .where('users.id', 'in', [...ids])
        .execute()
      return new Map(rows.map(({ id, roles }) => [id, knownRoles(roles)]))
    },

    async mappedRights(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('mapped_rights')
        .selectAll()
        .where('user_id', 'in', [...ids])
        .execute()
      return new Map(rows.map(({ user_id, roles, groups }) => [user_id, { roles: knownRoles(roles), groups }]))
    },

    users: (question) => listUsers(db, question),

    updateUser: (id, change, cause) => updateUser(db, append, id, change, cause),

    createKeyPair: (pair) => insertUnlessRefused(() => db.insertInto('key_pairs').values(keyPairRow(pair)).execute()),

    createSession: (session) =>
      insertUnlessRefused(() => db.insertInto('sessions').values(sessionRow(session)).execute()),

    ping: () => appliedMigration(db),
    close: () => db.destroy(),
  }
}

/** False when the store refused the row for what is there already, or not there; any other failure is thrown. */
async function insertUnlessRefused(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION) return false
    throw error
  }
}

/** As `Accounts.users`. */
async function listUsers(db: Kysely<Tables>, question: UserQuestion): Promise<{ items: number; users: User[] }> {
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
