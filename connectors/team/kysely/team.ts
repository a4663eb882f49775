/** The questions of the port as SQL, the same on PostgreSQL and on the embedded one. */

import type { Kysely } from 'kysely'
import { UNIQUE_VIOLATION } from '../../accounts/kysely/refused.ts'
import type { Tables } from '../../accounts/kysely/tables.ts'
import type { NewCustomer, Paging, Team } from '../port.ts'
import { appoint, change } from './changes.ts'
import { liveMemberships } from './live.ts'
import { customerOf, customerRow, memberOf, roleOf } from './rows.ts'

export function kyselyTeam(db: Kysely<Tables>): Team {
  return {
    async membership(userId) {
      const query = liveMemberships(db).select(['customer_id', 'role']).where('user_id', '=', userId)
      const row = await query.executeTakeFirst()
      return row === undefined ? null : { customerId: row.customer_id, role: roleOf(row.role) }
    },

    async customer(id) {
      const row = await db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : customerOf(row)
    },

    async customers(paging) {
      const all = db.selectFrom('customers')
      const query = all.selectAll().orderBy('created_at').orderBy('id').limit(paging.limit).offset(before(paging))
      const rows = await query.execute()
      const { items } = await all.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      return { customers: rows.map(customerOf), items }
    },

    async members(customerId, paging) {
      const all = liveMemberships(db).where('customer_id', '=', customerId)
      const query = all.select(['id', 'user_id', 'role']).orderBy('id').limit(paging.limit).offset(before(paging))
      const rows = await query.execute()
      const { items } = await all.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      return { members: rows.map(memberOf), items }
    },

    createCustomer: (customer) => created(db, customer),
    change: (request) =>
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute((tx) => change(tx, request)),
    appoint: (given) =>
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute((tx) => appoint(tx, given)),
  }
}

const before = ({ page, limit }: Paging): number => (page - 1) * limit

async function created(db: Kysely<Tables>, customer: NewCustomer) {
  const { id, ownerId, membershipId } = customer
  try {
    return await db.transaction().execute(async (tx) => {
      // Kept from being deleted until the membership is there for its deletion to find.
      const user = await tx.selectFrom('users').select('id').where('id', '=', ownerId).forKeyShare().executeTakeFirst()
      if (user === undefined) return 'unknown_user'
      await tx.insertInto('customers').values(customerRow(customer)).execute()
      const owner = { id: membershipId, customer_id: id, user_id: ownerId, role: 'owner' }
      await tx.insertInto('memberships').values(owner).execute()
      return null
    })
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === UNIQUE_VIOLATION) return 'already_member'
    throw error
  }
}
