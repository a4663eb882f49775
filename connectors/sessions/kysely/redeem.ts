/** A right code and what it makes, in one transaction. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { PUBLIC } from '../../../schemas/audience.ts'
import type { Tables } from '../../accounts/kysely/tables.ts'
import type { Codes, Redeemed, Subject } from '../port.ts'

/** Verified sessions of one user; a new one ends the oldest beyond. */
const MAX_SESSIONS = 100

/** What is stored of a subject until its code comes: JSON, or null where the row names it. */
type Pending = {
  session: { id: string; tokenHash: string; kind: string }
  user: { id: string; email: string; fullName: string; alias: string } | null
}

export function pendingOf(subject: Subject): string | null {
  if (subject.of === 'key pair' || subject.of === 'nobody') return null
  const { id, tokenHash, kind } = subject.session
  const user = subject.of === 'registration' ? subject.user : null
  const pending: Pending = { session: { id, tokenHash: tokenHash.toString('hex'), kind }, user }
  return JSON.stringify(pending)
}

type Moments = Parameters<Codes['redeem']>[1]

export function redeem(db: Kysely<Tables>, idHash: Buffer, at: Moments): Promise<Redeemed | null> {
  return db.transaction().execute(async (tx) => {
    const code = await tx
      .updateTable('verification_codes')
      .set({ used: true })
      .where('id_hash', '=', idHash)
      .where('used', '=', false)
      .where('expires_at', '>', new Date(at.now))
      .returning(['user_id', 'key_pair_id', 'pending', 'network'])
      .executeTakeFirst()
    if (code === undefined) return null
    if (code.network !== null) await known(tx, code.network, at.now)
    if (code.key_pair_id !== null) return verifyKeyPair(tx, code.key_pair_id)
    const pending = code.pending as Pending | null
    if (pending === null) return null
    const userId = code.user_id ?? (pending.user && (await registered(tx, pending.user, at.now)))
    return userId === null ? null : beginSession(tx, userId, pending.session, at)
  })
}

/** Whoever asked for the code there reads the mail: that network has a reserve from now on. */
async function known(tx: Transaction<Tables>, network: Buffer, now: number): Promise<void> {
  const verified_at = new Date(now)
  await tx
    .insertInto('known_networks')
    .values({ network, verified_at })
    .onConflict((conflict) => conflict.column('network').doUpdateSet({ verified_at }))
    .execute()
}

async function verifyKeyPair(tx: Transaction<Tables>, id: string): Promise<Redeemed | null> {
  const row = await tx
    .updateTable('key_pairs')
    .set({ verified: true })
    .where('id', '=', id)
    .returning('expires_at')
    .executeTakeFirst()
  return row === undefined ? null : { of: 'key pair', id, expiresAt: row.expires_at?.getTime() ?? null }
}

/** The user who has the email already, or the new one: of several codes for one email, the first makes the user. */
async function registered(
  tx: Transaction<Tables>,
  { id, email, fullName, alias }: NonNullable<Pending['user']>,
  now: number,
): Promise<string> {
  await tx
    .insertInto('users')
    .values({ id, email, full_name: fullName, alias, roles: ['user'], groups: [PUBLIC], created_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const user = tx.selectFrom('users').select('id').where(sql<string>`lower(email)`, '=', email.toLowerCase())
  return (await user.executeTakeFirstOrThrow()).id
}

async function beginSession(
  tx: Transaction<Tables>,
  userId: string,
  { id, tokenHash, kind }: Pending['session'],
  { now, sessionExpiresAt }: Moments,
): Promise<Redeemed> {
  await tx
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token_hash: Buffer.from(tokenHash, 'hex'),
      verified: true,
      kind,
      expires_at: new Date(sessionExpiresAt),
      created_at: new Date(now),
    })
    .execute()
  const beyond = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_SESSIONS)
  await tx.deleteFrom('sessions').where('id', 'in', beyond).execute()
  return { of: 'session', id, expiresAt: sessionExpiresAt }
}
