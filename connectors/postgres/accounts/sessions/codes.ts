/** Codes: opened within bounds, tried a few times, redeemed once, and dropped with what they left unverified. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { dropRows } from '../../core/drop-rows.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { signingIn } from '../users/email-store.ts'
import { keyPairRow } from '../users/user-rows.ts'
import type { Bound, CodeBounds, Codes, NewCode } from './port.ts'
import { confirmDestination, pendingOf, redeem } from './redeem-code.ts'

/** First keys of the two-key advisory locks of this file. Always taken in this order, so that no deadlock can occur. */
const EMAIL_LOCK = 0x68_61_01
const ADDRESS_LOCK = 0x68_61_02

const lock = (space: number, name: string) => sql`SELECT pg_advisory_xact_lock(${space}::int, hashtext(${name}))`

export function kyselyCodes(db: Kysely<Tables>): Codes {
  const usable = (idHash: Buffer, now: number) =>
    db
      .updateTable('verification_codes')
      .where('id_hash', '=', idHash)
      .where('used', '=', false)
      .where('tries_left', '>', 0)
      .where('expires_at', '>', new Date(now))

  return {
    async userIdOf(email) {
      const row = await signingIn(db, email)
      return row === undefined || row.disabled ? null : row.user_id
    },

    open: (code, bounds) =>
      db.transaction().execute(async (tx) => {
        await lock(EMAIL_LOCK, code.email).execute(tx)
        await lock(ADDRESS_LOCK, code.address).execute(tx)
        const reserved = await shareOf(tx, code, bounds)
        if (reserved === null) return false
        if (code.subject.of === 'key pair') {
          await tx
            .insertInto('key_pairs')
            .values({ ...keyPairRow(code.subject.pair), verified: false })
            .execute()
        }
        await tx
          .insertInto('verification_codes')
          .values({ ...codeRow(code), reserved })
          .execute()
        return true
      }),

    async void(idHash) {
      await db.updateTable('verification_codes').set({ tries_left: 0 }).where('id_hash', '=', idHash).execute()
    },

    async takeTry(idHash, now) {
      const row = await usable(idHash, now)
        .set(({ eb }) => ({ tries_left: eb('tries_left', '-', 1) }))
        .returning('code_hash')
        .executeTakeFirst()
      return row?.code_hash ?? null
    },

    redeem: (idHash, at) => redeem(db, idHash, at),
    confirmDestination: (idHash, now) => confirmDestination(db, idHash, now),
    purge: (at) => purge(db, at),
  }
}

/** Whether the code is counted against the reserve; null: no share is left for it. */
async function shareOf(tx: Transaction<Tables>, code: NewCode, bounds: CodeBounds): Promise<boolean | null> {
  const { email, address, network } = code
  if (await isReached(tx, bounds.address, (codes) => codes.where('address', '=', address))) return null
  // What was redeemed is held against nobody else.
  const open = (codes: CodeQuery) => codes.where('used', '=', false)
  if (await isReached(tx, bounds.network, (codes) => open(codes).where('network', '=', network))) return null
  const ofEmail = (reserved: boolean) => (codes: CodeQuery) =>
    open(codes).where('email', '=', email).where('reserved', '=', reserved)
  const known = await tx
    .selectFrom('known_networks')
    .select('network')
    .where('network', '=', network)
    .where('verified_at', '>', new Date(bounds.knownSince))
    .executeTakeFirst()
  if (known !== undefined && !(await isReached(tx, bounds.reserve, ofEmail(true)))) return true
  return (await isReached(tx, bounds.email, ofEmail(false))) ? null : false
}

const idsOf = (tx: Transaction<Tables>) => tx.selectFrom('verification_codes').select('id_hash')
type CodeQuery = ReturnType<typeof idsOf>

async function isReached(
  tx: Transaction<Tables>,
  bounds: readonly Bound[],
  of: (codes: CodeQuery) => CodeQuery,
): Promise<boolean> {
  for (const { max, since } of bounds) {
    const rows = await of(idsOf(tx).where('created_at', '>', new Date(since)).limit(max)).execute()
    if (rows.length >= max) return true
  }
  return false
}

const codeRow = (code: NewCode) => ({
  id_hash: code.idHash,
  code_hash: code.codeHash,
  email: code.email,
  address: code.address,
  network: code.network,
  user_id: code.subject.of === 'login' ? code.subject.userId : null,
  key_pair_id: code.subject.of === 'key pair' ? code.subject.pair.id : null,
  email_id: code.subject.of === 'email' ? code.subject.emailId : null,
  destination_id: code.subject.of === 'destination' ? code.subject.destinationId : null,
  pending: pendingOf(code.subject),
  tries_left: code.tries,
  expires_at: new Date(code.expiresAt),
  created_at: new Date(code.createdAt),
})

/** Rows of each kind at a time: what a long pause has left goes over the next calls. */
const BATCH = 500

async function purge(db: Kysely<Tables>, at: Parameters<Codes['purge']>[0]): Promise<void> {
  const [now, unverifiedBefore] = [new Date(at.now), new Date(at.unverifiedBefore)]
  const oldCodes = sql`created_at < ${new Date(at.codesBefore)}`
  const unseen = sql`verified_at < ${new Date(at.knownBefore)}`
  const ended = sql`expires_at <= ${now}`
  const unverified = sql`NOT verified AND created_at < ${unverifiedBefore}`
  await dropRows(db, { from: 'verification_codes', key: ['id_hash'], where: oldCodes, limit: BATCH })
  await dropRows(db, { from: 'known_networks', key: ['network'], where: unseen, limit: BATCH })
  await dropRows(db, { from: 'sessions', key: ['id'], where: ended, limit: BATCH })
  await dropRows(db, { from: 'key_pairs', key: ['id'], where: unverified, limit: BATCH })
  // Their addresses may be of people who never came here.
  await dropRows(db, { from: 'invitations', key: ['token_hash'], where: ended, limit: BATCH })
}
