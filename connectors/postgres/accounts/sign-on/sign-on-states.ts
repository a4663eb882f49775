/** Sign-ons under way, which every process of the API shares. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import type { SignOn } from './port.ts'

/** Rows that one call drops. */
const BATCH = 500

export function kyselyStates(db: Kysely<Tables>): Pick<SignOn, 'open' | 'take'> {
  const counted = (createdAt: number) =>
    db
      .selectFrom('sign_on_states')
      .select((select) => select.fn.countAll<number>().as('items'))
      .where('expires_at', '>', new Date(createdAt))

  return {
    async open(state, { perAddress, inAll }) {
      await purge(db, state.createdAt)
      const all = counted(state.createdAt)
      const here = await all.where('address', '=', state.address).executeTakeFirstOrThrow()
      if (here.items >= perAddress || (await all.executeTakeFirstOrThrow()).items >= inAll) return false
      const row = {
        state_hash: state.stateHash,
        browser_hash: state.browserHash,
        address: state.address,
        link_user: state.linkUserId,
        goes_to: state.goesTo,
        tab: state.tab,
        expires_at: new Date(state.expiresAt),
      }
      await db.insertInto('sign_on_states').values(row).execute()
      return true
    },

    async take(stateHash, browserHash, now) {
      // Whoever deletes the row has it: a state counts once, and a browser that did not begin it leaves it where it is.
      const row = await db
        .deleteFrom('sign_on_states')
        .where('state_hash', '=', stateHash)
        .where('browser_hash', '=', browserHash)
        .returning(['link_user', 'goes_to', 'tab', 'expires_at'])
        .executeTakeFirst()
      if (row === undefined || row.expires_at.getTime() <= now) return null
      return { linkUserId: row.link_user, goesTo: row.goes_to, tab: row.tab }
    },
  }
}

async function purge(db: Kysely<Tables>, now: number): Promise<void> {
  await sql`
    DELETE FROM sign_on_states WHERE state_hash IN (
      SELECT state_hash FROM sign_on_states WHERE expires_at <= ${new Date(now)} LIMIT ${sql.lit(BATCH)}
      FOR UPDATE SKIP LOCKED
    )`.execute(db)
}
