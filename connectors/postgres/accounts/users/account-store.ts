/** The questions of the port as SQL, the same on PostgreSQL and on the embedded one. */

import type { Kysely } from 'kysely'
import { appliedMigration } from '../../core/migrate.ts'
import type { AppendEvents } from '../../operation/outbox-append.ts'
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION } from '../../tables/refused.ts'
import type { Tables } from '../../tables/tables.ts'
import { addFirst } from './email-store.ts'
import { HELD_ROLES, usersWithRights } from './held-rights.ts'
import { listUsers } from './list-users.ts'
import type { Accounts } from './port.ts'
import { updateUser } from './update-user.ts'
import {
  KEY_COLUMNS,
  keyCredential,
  keyPairRow,
  knownRoles,
  sessionCredential,
  sessionRow,
  userOf,
  userRow,
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
