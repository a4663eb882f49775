/** A right code and what it makes, in one transaction (ADR 276). */

import { type Kysely, sql, type Transaction } from 'kysely'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { aboutFound } from '../../core/port.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { UNIQUE_VIOLATION } from '../../tables/refused.ts'
import { addFirst, signingIn, verifiedOwner } from '../users/email-store.ts'
import type { Codes, Redeemed, Subject } from './port.ts'
import { Moved, unlink } from './sign-on-mapping.ts'

/** Verified sessions of one user; a new one ends the oldest beyond. */
const MAX_SESSIONS = 100

/** What is stored of a subject until its code comes: JSON, or null where the row names it. */
type Pending = {
  session: { id: string; tokenHash: string; kind: string }
  user: { id: string; email: string; fullName: string; alias: string } | null
}

export function pendingOf(subject: Subject): string | null {
  if (subject.of !== 'login' && subject.of !== 'registration') return null
  const { id, tokenHash, kind } = subject.session
  const user = subject.of === 'registration' ? subject.user : null
  const pending: Pending = { session: { id, tokenHash: tokenHash.toString('hex'), kind }, user }
  return JSON.stringify(pending)
}

type Moments = Parameters<Codes['redeem']>[1]

/** Also null when another user has verified the same address, or a membership changes, at the same moment. */
export async function redeem(db: Kysely<Tables>, idHash: Buffer, at: Moments): Promise<Redeemed | null> {
  try {
    return await redeemInTransaction(db, idHash, at)
  } catch (error) {
    if (error instanceof Moved || (error as { code?: unknown }).code === UNIQUE_VIOLATION) return null
    throw error
  }
}

function redeemInTransaction(db: Kysely<Tables>, idHash: Buffer, at: Moments): Promise<Redeemed | null> {
  const transaction = db.transaction().setIsolationLevel('read committed')
  return transaction.execute(async (tx) => {
    const code = await tx
      .updateTable('verification_codes')
      .set({ used: true })
      .where('id_hash', '=', idHash)
      .where('used', '=', false)
      .where('destination_id', 'is', null)
      .where('expires_at', '>', new Date(at.now))
      .returning(['user_id', 'key_pair_id', 'email_id', 'pending', 'network', 'email'])
      .executeTakeFirst()
    if (code === undefined) return null
    // The address was removed while its code was being made: its mails are somebody else's by now.
    if (code.user_id !== null && (await verifiedOwner(tx, code.email))?.user_id !== code.user_id) return null
    if (code.network !== null) await noteNetwork(tx, code.network, at.now)
    if (code.key_pair_id !== null) return verifyKeyPair(tx, code.key_pair_id)
    if (code.email_id !== null) return verifyEmail(tx, code.email_id)
    const pending = code.pending as Pending | null
    if (pending === null) return null
    const userId = code.user_id ?? (pending.user && (await registerUser(tx, pending.user, at.now)))
    if (userId === null) return null
    await provedByMail(tx, userId, code.email)
    aboutFound({ userID: userId, subject: pending.session.id })
    return beginSession(tx, userId, pending.session, at)
  })
}

/** The user who requested the code from that network reads the mail: the network has a reserve from now on. */
async function noteNetwork(tx: Transaction<Tables>, network: Buffer, now: number): Promise<void> {
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
    .returning(['expires_at', 'user_id'])
    .executeTakeFirst()
  if (row === undefined) return null
  aboutFound({ userID: row.user_id, subject: id })
  return { of: 'key pair', id, expiresAt: row.expires_at?.getTime() ?? null }
}

async function verifyEmail(tx: Transaction<Tables>, id: string): Promise<Redeemed | null> {
  const verified = tx.updateTable('emails').set({ verified: true }).where('id', '=', id).returning('user_id')
  const row = await verified.executeTakeFirst()
  if (row === undefined) return null
  aboutFound({ userID: row.user_id, subject: id })
  return { of: 'email', id, expiresAt: null }
}

/** The user who has the email already, or the new one: of several codes for one email, the first makes the user. */
async function registerUser(
  tx: Transaction<Tables>,
  { id, email, fullName, alias }: NonNullable<Pending['user']>,
  now: number,
): Promise<string> {
  const owner = await signingIn(tx, email)
  if (owner !== undefined) return owner.user_id
  const made = await tx
    .insertInto('users')
    .values({ id, email, full_name: fullName, alias, roles: ['user'], groups: [PUBLIC], created_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) await addFirst(tx, id, email, now)
  // Else it was made in the same moment, and its address with it.
  return made?.id ?? (await verifiedOwner(tx, email))!.user_id
}

/**
 * Who redeems a code reads the mail of the address. Where an issuer named it without having verified it, whoever came by
 * that issuer may be somebody else: the link, the sessions and the key pairs of before end (ADR 276).
 */
async function provedByMail(tx: Transaction<Tables>, userId: string, address: string): Promise<void> {
  const proved = await tx
    .updateTable('emails')
    .set({ assumed: false })
    .where('user_id', '=', userId)
    .where(sql<string>`lower(address)`, '=', address.toLowerCase())
    .where('assumed', '=', true)
    .returning('id')
    .executeTakeFirst()
  if (proved === undefined) return
  await unlink(tx, userId)
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('key_pairs').where('user_id', '=', userId).execute()
}

/** Also ends the oldest sessions of the user beyond those that it may have. */
export async function beginSession(
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

/**
 * A right code of a destination of alerts: its address is confirmed (decisions 13.3).
 * @returns the id of the destination, which sends from now on; null also when it has another address by now, or is gone
 */
export const confirmDestination = (db: Kysely<Tables>, idHash: Buffer, now: number): Promise<string | null> =>
  db.transaction().execute(async (tx) => {
    const at = new Date(now)
    const code = await tx
      .updateTable('verification_codes')
      .set({ used: true })
      .where('id_hash', '=', idHash)
      .where('used', '=', false)
      .where('destination_id', 'is not', null)
      .where('expires_at', '>', at)
      .returning(['destination_id', 'email', 'network'])
      .executeTakeFirst()
    if (code === undefined) return null
    if (code.network !== null) await noteNetwork(tx, code.network, now)
    const destination = tx
      .selectFrom('alert_destinations')
      .select('id')
      .where('id', '=', code.destination_id)
      .where(sql<string>`lower(email)`, '=', code.email)
    // The queue first: who deletes a destination holds its queue, and then the destination.
    await tx.updateTable('delivery_queues').set({ due_at: at }).where('id', 'in', destination).execute()
    const confirmed = await tx
      .updateTable('alert_destinations')
      .set({ confirmed_at: at, code_id: null })
      .where('id', '=', code.destination_id)
      .where(sql<string>`lower(email)`, '=', code.email)
      .returning('id')
      .executeTakeFirst()
    return confirmed?.id ?? null
  })
