/** Customers and their members as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import { UNIQUE_VIOLATION } from '../../tables/refused.ts'
import { invite, takeInvitation } from './invitations.ts'
import { accept, appoint, change, decline, dismiss, endWaiting, MOST_WAITING } from './membership-changes.ts'
import { acceptedMemberships, listedMemberships } from './memberships.ts'
import type { NewCustomer, Paging, Team, TeamNames } from './port.ts'
import { customerOf, customerRow, memberOf, roleOf } from './team-rows.ts'
import { waitingInvitations, withdrawInvitation } from './waiting-invitations.ts'

export function kyselyTeam(db: Kysely<Tables>): Team {
  return {
    async membership(userId) {
      const query = acceptedMemberships(db).select(['customer_id', 'role']).where('user_id', '=', userId)
      const row = await query.executeTakeFirst()
      return row === undefined ? null : { customerId: row.customer_id, role: roleOf(row.role) }
    },

    async waiting(userId) {
      const rows = await listedMemberships(db)
        .innerJoin('customers', 'customers.id', 'memberships.customer_id')
        .select(['memberships.customer_id', 'memberships.role', 'customers.name'])
        .where('memberships.user_id', '=', userId)
        .where('memberships.accepted_at', 'is', null)
        .orderBy('memberships.id')
        .limit(MOST_WAITING)
        .execute()
      return rows.map(({ customer_id, role, name }) => ({ customerId: customer_id, name, role: roleOf(role) }))
    },

    async customer(id) {
      const row = await customersOf(db).where('customers.id', '=', id).executeTakeFirst()
      return row === undefined ? null : customerOf(row)
    },

    async customers({ tier, status, ...paging }) {
      const wanted = customersOf(db)
        .$if(tier !== undefined, (query) => query.where('tier', '=', tier!))
        .$if(status !== undefined, (query) => query.where('subscription_status', '=', status!))
      const oldest = wanted.orderBy('customers.created_at').orderBy('customers.id')
      const rows = await oldest.limit(paging.limit).offset(before(paging)).execute()
      const { items } = await wanted
        .clearSelect()
        .select((s) => s.fn.countAll<number>().as('items'))
        .executeTakeFirstOrThrow()
      return { customers: rows.map(customerOf), items }
    },

    async members(customerId, paging) {
      const all = listedMemberships(db).where('customer_id', '=', customerId)
      const query = namedMembers(all)
        .select(['memberships.id', 'role', 'accepted_at'])
        .orderBy('memberships.id')
        .limit(paging.limit)
        .offset(before(paging))
      const rows = await query.execute()
      const { items } = await all.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      return { members: rows.map(memberOf), items }
    },

    names: (customerId, userIds) => teamNames(db, customerId, userIds),
    createCustomer: (customer) => createInTransaction(db, customer),
    change: (request) => committed(db, (tx) => change(tx, request)),
    appoint: (given) => committed(db, (tx) => appoint(tx, given)),
    dismiss: (customerId, userId) => committed(db, (tx) => dismiss(tx, customerId, userId)),
    invite: (given, bounds) => committed(db, (tx) => invite(tx, given, bounds)),
    takeInvitation: (taken) => committed(db, (tx) => takeInvitation(tx, taken)),
    invitations: (customerId, paging, now) => waitingInvitations(db, customerId, paging, now),
    withdrawInvitation: (customerId, id, now) => committed(db, (tx) => withdrawInvitation(tx, customerId, id, now)),

    async forgetInvitation(tokenHash) {
      await db.deleteFrom('invitations').where('token_hash', '=', tokenHash).execute()
    },

    accept: (userId, customerId, now) => committed(db, (tx) => accept(tx, userId, customerId, now)),
    decline: (userId, customerId) => committed(db, (tx) => decline(tx, userId, customerId)),
  }
}

const committed = <T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('read committed').execute(work)

const customersOf = (db: Kysely<Tables>) =>
  db
    .selectFrom('customers')
    .leftJoin('payment_accounts', 'payment_accounts.customer_id', 'customers.id')
    .selectAll('customers')
    .select('payment_accounts.provider_customer')

const before = ({ page, limit }: Paging): number => (page - 1) * limit

async function createInTransaction(db: Kysely<Tables>, customer: NewCustomer) {
  const { id, ownerId, membershipId } = customer
  try {
    return await db.transaction().execute(async (tx) => {
      // Kept from being deleted until the membership is there for its deletion to find.
      const user = await tx.selectFrom('users').select('id').where('id', '=', ownerId).forKeyShare().executeTakeFirst()
      if (user === undefined) return 'unknown_user'
      await tx.insertInto('customers').values(customerRow(customer)).execute()
      const owner = {
        id: membershipId,
        customer_id: id,
        user_id: ownerId,
        role: 'owner',
        accepted_at: new Date(customer.createdAt),
      }
      await endWaiting(tx, ownerId)
      await tx.insertInto('memberships').values(owner).execute()
      return null
    })
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === UNIQUE_VIOLATION) return 'already_member'
    throw error
  }
}

/** How members are called, with the preferred address, which is shown to others once it is verified. */
const namedMembers = (memberships: ReturnType<typeof listedMemberships>) =>
  memberships
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('emails', (join) =>
      join
        .onRef('emails.user_id', '=', 'users.id')
        .on('emails.verified', '=', true)
        .on(sql`lower(emails.address)`, '=', sql`lower(users.email)`),
    )
    .select(['memberships.user_id', 'full_name', 'alias', 'address'])

/** As `Team.names`, in one statement: the customer, with those of the users that are its accepted members. */
async function teamNames(
  db: Kysely<Tables>,
  customerId: string,
  userIds: readonly string[],
): Promise<TeamNames | null> {
  const members = namedMembers(acceptedMemberships(db))
    .select('memberships.customer_id')
    .where('memberships.customer_id', '=', customerId)
    .where(sql<boolean>`memberships.user_id = any(${[...userIds]}::uuid[])`)
    .as('members')
  const rows = await db
    .selectFrom('customers')
    .leftJoin(members, 'members.customer_id', 'customers.id')
    .select(['customers.name', 'members.user_id', 'members.full_name', 'members.alias', 'members.address'])
    .where('customers.id', '=', customerId)
    .execute()
  if (rows.length === 0) return null
  return {
    customer: rows[0]!.name,
    members: rows.flatMap(({ user_id, full_name, alias, address }) =>
      user_id === null ? [] : [{ userId: user_id, fullName: full_name ?? '', alias: alias ?? '', email: address }],
    ),
  }
}

/**
 * The same port, which also invalidates cached credentials on every change: a membership is a group to read.
 * @param change runs a write and has what was known before its end forgotten, failed writes too
 */
export function forgettingTeam(team: Team, change: <T>(write: () => Promise<T>) => Promise<T>): Team {
  return {
    ...team,
    createCustomer: (customer) => change(() => team.createCustomer(customer)),
    change: (request) => change(() => team.change(request)),
    appoint: (appointment) => change(() => team.appoint(appointment)),
    dismiss: (customerId, userId) => change(() => team.dismiss(customerId, userId)),
    accept: (userId, customerId, now) => change(() => team.accept(userId, customerId, now)),
    decline: (userId, customerId) => change(() => team.decline(userId, customerId)),
    takeInvitation: (taken) => change(() => team.takeInvitation(taken)),
  }
}
