/** Addresses as SQL. Every change of the addresses of a user locks the user, so that they take turns. */

import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import { UNIQUE_VIOLATION } from '../../tables/refused.ts'
import type { UserTables } from '../../tables/users-tables.ts'
import { markVerified } from './mark-verified.ts'
import type { Email, Emails, NewEmail } from './port.ts'

export function kyselyEmails(db: Kysely<Tables>): Emails {
  const ofUsers = async (userIds: readonly string[]): Promise<Email[]> => {
    if (userIds.length === 0) return []
    const rows = await emailQuery(db)
      .where('emails.user_id', 'in', [...userIds])
      .execute()
    return rows.map(emailOf)
  }

  return {
    ofUsers,
    ofUser: (userId) => ofUsers([userId]),

    async ownerOf(address) {
      const row = await verifiedOwner(db, address)
      return row?.user_id ?? null
    },

    add: (email, max) =>
      refusable(() => db.transaction().execute((tx) => addEmail(tx, email, max)), { refused: 'taken' as const }),

    prefer: (userId, id) =>
      withLockedUser(db, userId, id, async (tx, email, former) => {
        if (!email.verified) return 'unverified'
        if (email.preferred) return { email, former }
        await tx.updateTable('users').set({ email: email.address }).where('id', '=', email.userId).execute()
        return { email: { ...email, preferred: true }, former }
      }),

    remove: (userId, id) =>
      withLockedUser(db, userId, id, async (tx, email) => {
        if (email.preferred) return 'preferred'
        // A code that is on its way to the address opens nothing any more.
        await tx
          .updateTable('verification_codes')
          .set({ tries_left: 0 })
          .where('email', '=', email.address.toLowerCase())
          .where(({ eb, or, selectFrom }) =>
            or([
              eb('user_id', '=', email.userId),
              eb('key_pair_id', 'in', selectFrom('key_pairs').select('id').where('user_id', '=', email.userId)),
            ]),
          )
          .execute()
        await tx.deleteFrom('emails').where('id', '=', id).execute()
        return email
      }),

    verify: (id) =>
      refusable(async () => {
        return (await markVerified(db, 'emails', id)) ? ('verified' as const) : null
      }, 'taken' as const),
  }
}

/** The user of a verified address, in whatever case. */
export const verifiedOwner = (db: Kysely<Tables>, address: string) =>
  db
    .selectFrom('emails')
    .innerJoin('users', 'users.id', 'emails.user_id')
    .select(['emails.user_id', 'users.disabled'])
    .where(sql<string>`lower(emails.address)`, '=', address.toLowerCase())
    .where('emails.verified', '=', true)
    .executeTakeFirst()

/**
 * The same for who signs in. A release before addresses, which may run beside this one during an upgrade, makes users
 * without any: they get theirs here, or they would never sign in again.
 */
export async function signingIn(db: Kysely<Tables>, address: string): ReturnType<typeof verifiedOwner> {
  const owner = await verifiedOwner(db, address)
  if (owner !== undefined) return owner
  await sql`
    INSERT INTO emails (id, user_id, address, verified, created_at)
      SELECT gen_random_uuid(), id, email, true, created_at FROM users
      WHERE lower(email) = ${address.toLowerCase()}
        AND NOT EXISTS (SELECT FROM emails WHERE emails.user_id = users.id)
      ON CONFLICT DO NOTHING`.execute(db)
  return verifiedOwner(db, address)
}

/**
 * The first address of a user that is made, verified; throws when another user has it.
 * @param assumed nobody has shown that the user reads its mail
 */
export async function addFirst(
  tx: Kysely<Tables>,
  userId: string,
  address: string,
  now: number,
  assumed = false,
): Promise<void> {
  const id = sql<string>`gen_random_uuid()`
  const row = { id, user_id: userId, address, verified: true, assumed, created_at: new Date(now) }
  await tx.insertInto('emails').values(row).execute()
}

const emailQuery = (db: Kysely<Tables>) =>
  db
    .selectFrom('emails')
    .innerJoin('users', 'users.id', 'emails.user_id')
    .selectAll('emails')
    .select('users.email as preferred_address')
    .orderBy(sql`lower(emails.address) <> lower(users.email)`)
    .orderBy('emails.created_at')
    .orderBy('emails.id')

async function addEmail(tx: Transaction<Tables>, given: NewEmail, max: number): ReturnType<Emails['add']> {
  const user = await tx.selectFrom('users').select('id').where('id', '=', given.userId).forUpdate().executeTakeFirst()
  if (user === undefined) return { refused: 'no such user' }
  const there = (await emailQuery(tx).where('emails.user_id', '=', given.userId).execute()).map(emailOf)
  const same = there.find(({ address }) => address.toLowerCase() === given.address.toLowerCase())
  if (same?.verified) return { refused: 'verified already' }
  if (same !== undefined && !given.verified) return { email: same }
  if (same === undefined && there.length >= max) return { refused: 'full' }
  if (same !== undefined) await tx.updateTable('emails').set({ verified: true }).where('id', '=', same.id).execute()
  else await tx.insertInto('emails').values(emailRow(given)).execute()
  return { email: same === undefined ? { ...given, preferred: false } : { ...same, verified: true } }
}

/** Runs a change of one address under the lock of its user. null: there is none, or it is another user's. */
async function withLockedUser<T>(
  db: Kysely<Tables>,
  userId: string | null,
  id: string,
  change: (tx: Transaction<Tables>, email: Email, preferred: string) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('emails').select('user_id').where('id', '=', id).executeTakeFirst()
    if (found === undefined || (userId !== null && found.user_id !== userId)) return null
    await tx.selectFrom('users').select('id').where('id', '=', found.user_id).forUpdate().execute()
    const row = await emailQuery(tx).where('emails.id', '=', id).executeTakeFirst()
    return row === undefined ? null : change(tx, emailOf(row), row.preferred_address)
  })
}

async function refusable<T, R>(write: () => Promise<T>, refused: R): Promise<T | R> {
  try {
    return await write()
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return refused
    throw error
  }
}

const emailRow = ({ id, userId, address, verified, createdAt }: NewEmail) => ({
  id,
  user_id: userId,
  address,
  verified,
  created_at: new Date(createdAt),
})

const emailOf = (row: Selectable<UserTables['emails']> & { preferred_address: string }): Email => ({
  id: row.id,
  userId: row.user_id,
  address: row.address,
  verified: row.verified,
  preferred: row.verified && row.address.toLowerCase() === row.preferred_address.toLowerCase(),
  createdAt: row.created_at.getTime(),
})
