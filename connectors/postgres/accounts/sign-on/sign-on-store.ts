/** The questions of the port as SQL, the same on PostgreSQL and on the embedded one. */

import type { Kysely } from 'kysely'
import { aboutFound } from '../../operation/audit/port.ts'
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION } from '../../tables/refused.ts'
import type { Tables } from '../../tables/tables.ts'
import { unlink } from '../team/unlink-person.ts'
import { logOut } from './log-out.ts'
import type { Linked, PersonKey, SignOn } from './port.ts'
import { signIn } from './sign-in.ts'
import { kyselyStates } from './sign-on-states.ts'

/** `change` runs a write after which remembered credentials are forgotten: sessions end, rights come and go. */
export function kyselySignOn(db: Kysely<Tables>, change: <T>(write: () => Promise<T>) => Promise<T>): SignOn {
  return {
    ...kyselyStates(db),
    signIn: (given) => change(() => signIn(db, given)),
    link: (person, userId, now) => link(db, person, userId, now),

    async linkedAt(userId) {
      const links = db.selectFrom('sign_on_identities').select('linked_at').where('user_id', '=', userId)
      const row = await links.orderBy('linked_at').executeTakeFirst()
      return row?.linked_at.getTime() ?? null
    },

    unlink: (userId) =>
      change(() =>
        db
          .transaction()
          .setIsolationLevel('read committed')
          .execute((tx) => unlink(tx, userId)),
      ),
    logOut: (logout, at) => change(() => logOut(db, logout, at)),
  }
}

async function link(db: Kysely<Tables>, { issuer, subject }: PersonKey, userId: string, now: number): Promise<Linked> {
  aboutFound({ userID: userId, subject: userId, action: 'account.link' })
  try {
    await db
      .insertInto('sign_on_identities')
      .values({ issuer, subject, user_id: userId, linked_at: new Date(now) })
      .execute()
    return 'linked'
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === FOREIGN_KEY_VIOLATION) return 'no such user'
    if (code !== UNIQUE_VIOLATION) throw error
  }
  const person = db.selectFrom('sign_on_identities').select('user_id')
  const owner = await person.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
  if (owner === undefined) return 'has another'
  return owner.user_id === userId ? 'linked' : 'of another user'
}
