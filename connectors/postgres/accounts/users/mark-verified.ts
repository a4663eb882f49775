import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'

/**
 * Verifies a row that waits for its code. False: there is none of this id. One that is verified already is not written, so
 * that nothing is told to the audit log (decisions 16.2).
 */
export async function markVerified(
  db: Kysely<Tables>,
  table: 'emails' | 'key_pairs' | 'sessions',
  id: string,
): Promise<boolean> {
  // What is asked of it is the same in each of them.
  const rows = table as 'emails'
  const waiting = db.updateTable(rows).set({ verified: true }).where('id', '=', id).where('verified', '=', false)
  if ((await waiting.returning('id').executeTakeFirst()) !== undefined) return true
  return (await db.selectFrom(rows).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
