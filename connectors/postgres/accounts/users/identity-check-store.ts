import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Selectable } from 'kysely'
import { checkStatus } from '../../../../schemas/accounts/identity/identity-check.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { UserTables } from '../../tables/users-tables.ts'
import type { CheckAttempt, IdentityCheck, IdentityChecks } from './port.ts'

const NEVER: IdentityCheck = { status: 'none', attempts: [], expiresAt: null }

export function kyselyIdentityChecks(db: Kysely<Tables>): IdentityChecks {
  const checkRow = (tx: Kysely<Tables>, userId: string) =>
    tx.selectFrom('identity_checks').selectAll().where('user_id', '=', userId).executeTakeFirst()

  return {
    async of(userId) {
      const row = await checkRow(db, userId)
      return row === undefined ? NEVER : checkOf(row)
    },

    async passed(userIds) {
      if (userIds.length === 0) return new Set()
      const query = db.selectFrom('identity_checks').select('user_id').where('status', '=', 'passed')
      const rows = await query.where('user_id', 'in', [...userIds]).execute()
      return new Set(rows.map((row) => row.user_id))
    },

    change: (userId, now, next) =>
      db.transaction().execute(async (tx) => {
        const user = tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate()
        if ((await user.executeTakeFirst()) === undefined) return null
        const row = await checkRow(tx, userId)
        const before = row === undefined ? NEVER : checkOf(row)
        const after = next(before)
        if (after === null || isDeepStrictEqual(after, before)) return before
        const values = {
          status: after.status,
          attempts: JSON.stringify(after.attempts),
          expires_at: after.expiresAt === null ? null : new Date(after.expiresAt),
          changed_at: new Date(now),
        }
        await tx
          .insertInto('identity_checks')
          .values({ user_id: userId, ...values })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
          .execute()
        return after
      }),
  }
}

const checkOf = (row: Selectable<UserTables['identity_checks']>): IdentityCheck => ({
  status: checkStatus(row.status),
  attempts: row.attempts as CheckAttempt[],
  expiresAt: row.expires_at?.getTime() ?? null,
})
