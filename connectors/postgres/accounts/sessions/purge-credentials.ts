import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import type { Codes } from './port.ts'

/** Rows of each kind at a time: what a long pause has left goes over the next calls. */
const BATCH = 500

/** Rows that another process is about to drop are left to it. */
export async function purge(db: Kysely<Tables>, at: Parameters<Codes['purge']>[0]): Promise<void> {
  const times = [at.now, at.codesBefore, at.unverifiedBefore, at.knownBefore]
  const [now, codesBefore, unverifiedBefore, knownBefore] = times.map((ms) => new Date(ms))
  await sql`
    DELETE FROM verification_codes WHERE id_hash IN (
      SELECT id_hash FROM verification_codes WHERE created_at < ${codesBefore} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )`.execute(db)
  await sql`
    DELETE FROM known_networks WHERE network IN (
      SELECT network FROM known_networks WHERE verified_at < ${knownBefore} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )`.execute(db)
  await sql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at <= ${now} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )`.execute(db)
  await sql`
    DELETE FROM key_pairs WHERE id IN (
      SELECT id FROM key_pairs
      WHERE NOT verified AND created_at < ${unverifiedBefore} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )`.execute(db)
  // Their addresses may be of people who never came here.
  await sql`
    DELETE FROM invitations WHERE token_hash IN (
      SELECT token_hash FROM invitations WHERE expires_at <= ${now} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )`.execute(db)
}
