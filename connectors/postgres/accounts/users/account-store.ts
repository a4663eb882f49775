/** Users and their credentials as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Cause } from '../../../../schemas/accounts/lifecycle.ts'
import { detail } from '../../../../schemas/audit/details.ts'
import { appliedMigration } from '../../core/migrate.ts'
import { aboutActions, type DoneAction } from '../../core/port.ts'
import { storeEntries } from '../../operation/audit-store.ts'
import type { AppendEvents } from '../../operation/outbox-store.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION } from '../../tables/refused.ts'
import { acceptedMemberships } from '../team/memberships.ts'
import { addFirst } from './email-store.ts'
import type { Accounts, User, UserChange, UserQuestion } from './port.ts'
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

// Changes of a user by the administration.

/**
 * The user after the change, null for none. Disabling one that was not disabled writes its event with it. What it changes
 * is told to the audit log thing by thing; what changes nothing is neither written nor told (decisions 16.2).
 */
const updateUser = (
  db: Kysely<Tables>,
  append: AppendEvents,
  id: string,
  { addRole, removeRole, ...change }: UserChange,
  cause: Cause,
): Promise<User | null> =>
  db.transaction().execute(async (tx) => {
    const old = await tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (old === undefined) return null
    const roles = changedRoles(change.roles ?? old.roles, addRole, removeRole)
    const set = { ...change, ...(addRole === undefined && removeRole === undefined ? {} : { roles }) }
    const actions = changesOf(old, set)
    if (actions.length === 0) return userOf(old)
    const entries = aboutActions(actions)
    // Column by column: a statement that returns all of them is never prepared (prepared-names.ts).
    const columns = Object.keys(old) as (keyof typeof old)[]
    const query = tx.updateTable('users').set(set).where('id', '=', id).returning(columns)
    const changed = await query.executeTakeFirstOrThrow()
    if (entries.length > 0) await storeEntries(tx)(entries)
    if (changed.disabled && !old.disabled) {
      const membership = await acceptedMemberships(tx)
        .select('customer_id')
        .where('user_id', '=', id)
        .executeTakeFirst()
      const subject = { userID: id, customerID: membership?.customer_id ?? null }
      await append(tx, [
        { id: cause.id, type: 'user.disabled', time: cause.now, actor: cause.actor, subject, data: {} },
      ])
    }
    return userOf(changed)
  })

const changedRoles = (roles: readonly string[], add?: string, remove?: string): string[] => {
  const left = roles.filter((role) => role !== remove)
  return add === undefined || left.includes(add) ? left : [...left, add]
}

type Changing = { roles?: readonly string[]; groups?: readonly string[]; disabled?: boolean }

/** What the audit log calls each part of a change, and which roles or groups it is about. */
function changesOf(old: Required<Changing>, set: Changing): DoneAction[] {
  const without = (all: readonly string[], known: readonly string[]) =>
    [...new Set(all)].filter((one) => !known.includes(one))
  const { roles = old.roles, groups = old.groups, disabled = old.disabled } = set
  const about = (action: string, ...details: DoneAction['details'][]): DoneAction[] =>
    details.every(({ length }) => length === 0) ? [] : [{ action, details: details.flat() }]
  return [
    ...about('role.take', detail('roles', without(old.roles, roles))),
    ...about('role.give', detail('roles', without(roles, old.roles))),
    ...about(
      'groups.change',
      detail('given', without(groups, old.groups)),
      detail('taken', without(old.groups, groups)),
    ),
    ...(disabled === old.disabled ? [] : [{ action: disabled ? 'user.disable' : 'user.enable', details: [] }]),
  ]
}

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
