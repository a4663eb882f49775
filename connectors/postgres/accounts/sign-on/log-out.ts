/** Sessions that an issuer ends (OpenID Connect Back-Channel Logout 1.0). */

import { type Kysely, sql } from 'kysely'
import { secretHash } from '../../../../schemas/accounts/credentials.ts'
import type { Logout } from '../../../../schemas/accounts/sign-on/claims.ts'
import type { Tables } from '../../tables/tables.ts'

/** Rows that one call drops. */
const BATCH = 500

/** As `SignOn.logOut`. */
export function logOut(db: Kysely<Tables>, logout: Logout, at: { now: number; expiresAt: number }) {
  const { issuer, subject, sid, jti } = logout
  return db.transaction().execute(async (tx) => {
    await sql`
      DELETE FROM logout_tokens WHERE token_hash IN (
        SELECT token_hash FROM logout_tokens WHERE expires_at <= ${new Date(at.now)} LIMIT ${sql.lit(BATCH)}
        FOR UPDATE SKIP LOCKED
      )`.execute(tx)
    const fresh = await tx
      .insertInto('logout_tokens')
      .values({ token_hash: secretHash(JSON.stringify([issuer, jti])), expires_at: new Date(at.expiresAt) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('expires_at')
      .executeTakeFirst()
    if (fresh === undefined) return null
    // A token with a session ends that one, and those of the subject whose session the issuer never told.
    const named = tx
      .selectFrom('sign_on_sessions')
      .select('session_id')
      .where('issuer', '=', issuer)
      .$if(subject !== null, (query) => query.where('subject', '=', subject!))
      .$if(sid !== null, (query) =>
        query.where(({ eb, or, and }) =>
          or([eb('sid', '=', sid!), and([eb('sid', 'is', null), eb('subject', '=', subject ?? '')])]),
        ),
      )
    const ended = await tx.deleteFrom('sessions').where('id', 'in', named).returning('id').execute()
    return ended.length
  })
}
