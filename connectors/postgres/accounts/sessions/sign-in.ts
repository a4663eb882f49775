/** A person signs in: its user, its rights and its session, in one transaction (ADR 229). */

import type { Kysely, Transaction } from 'kysely'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { aboutFound } from '../../core/port.ts'
import { UNIQUE_VIOLATION } from '../../tables/refused.ts'
import type { Tables } from '../../tables/tables.ts'
import { addFirst, signingIn } from '../users/email-store.ts'
import type { PersonKey, SignedIn, SignIn } from './port.ts'
import { beginSession } from './redeem-code.ts'
import { lockMembership, Moved, mapMembership, mapRights } from './sign-on-mapping.ts'

type Tx = Transaction<Tables>

/** How often another change of the same person may come between. */
const TRIES = 5

export async function signIn(db: Kysely<Tables>, given: SignIn): Promise<SignedIn> {
  for (let tried = 1; ; tried++) {
    try {
      return await db
        .transaction()
        .setIsolationLevel('read committed')
        .execute((tx) => signInOnce(tx, given))
    } catch (error) {
      // The person signed in somewhere else in the same moment, or its membership changed.
      const again = error instanceof Moved || (error as { code?: unknown }).code === UNIQUE_VIOLATION
      if (!again || tried >= TRIES) throw error
    }
  }
}

async function signInOnce(tx: Tx, given: SignIn): Promise<SignedIn> {
  const { person, rights, session, now, endsAt } = given
  const known = await userOf(tx, person)
  if (known === undefined && person.email === null) return { refused: 'no verified email' }
  if (known?.disabled) {
    aboutFound({ userID: known.id })
    return { refused: 'disabled' }
  }
  const userId = known?.id ?? given.userId
  const customers = await lockMembership(tx, userId, rights?.membership?.customerId ?? null)
  if (known === undefined) {
    const { email } = person
    if (email === null || !(await makeUser(tx, given, email))) return { refused: 'email of an account' }
  } else if ((await userOf(tx, person))?.id !== userId) throw new Moved()
  aboutFound({ userID: userId, subject: session.id })
  if (rights !== null) await mapRights(tx, userId, rights)
  const notMapped = rights === null ? null : await mapMembership(tx, rights.membership, { ...given, userId, customers })
  const pending = { ...session, tokenHash: session.tokenHash.toString('hex') }
  await beginSession(tx, userId, pending, { now, sessionExpiresAt: endsAt })
  const { issuer, subject, sid } = person
  await tx
    .insertInto('sign_on_sessions')
    .values({ session_id: session.id, issuer, subject, sid, ends_at: new Date(endsAt) })
    .execute()
  return { userId, isNew: known === undefined, notMapped }
}

const userOf = (tx: Tx, { issuer, subject }: PersonKey) =>
  tx
    .selectFrom('sign_on_identities as identity')
    .innerJoin('users', 'users.id', 'identity.user_id')
    .select(['users.id', 'users.disabled'])
    .where('identity.issuer', '=', issuer)
    .where('identity.subject', '=', subject)
    .executeTakeFirst()

/** False: an account has the address. It is linked by its user alone, never by an address that is the same. */
async function makeUser(tx: Tx, { person, userId: id, now }: SignIn, email: string): Promise<boolean> {
  if ((await signingIn(tx, email)) !== undefined) return false
  const { fullName, alias, issuer, subject } = person
  const created_at = new Date(now)
  const made = await tx
    .insertInto('users')
    .values({ id, email, full_name: fullName, alias, roles: ['user'], groups: [PUBLIC], created_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) return false
  await addFirst(tx, id, email, now, person.isAssumed)
  await tx.insertInto('sign_on_identities').values({ issuer, subject, user_id: id, linked_at: created_at }).execute()
  return true
}
