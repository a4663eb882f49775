/** Single sign-on as SQL: sign-ons under way, persons that are linked, and sessions that their issuer ends. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { secretHash } from '../../../../schemas/accounts/credentials.ts'
import type { Logout } from '../../../../schemas/accounts/sign-on/claims.ts'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { dropRows } from '../../core/drop-rows.ts'
import { aboutFound } from '../../core/port.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION } from '../../tables/refused.ts'
import { addFirst, signingIn } from '../users/email-store.ts'
import type { Linked, PersonKey, SignedIn, SignIn, SignOn } from './port.ts'
import { beginSession } from './redeem-code.ts'
import { lockMembership, Moved, mapMembership, mapRights, unlink } from './sign-on-mapping.ts'

/** A person signs in: its user, its rights and its session, in one transaction (ADR 276). */
type Tx = Transaction<Tables>

/** How often another change of the same person may come between. */
const TRIES = 5

async function signIn(db: Kysely<Tables>, given: SignIn): Promise<SignedIn> {
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

/** Rows that one call drops. */
const BATCH = 500
const ended = (now: number) => sql`expires_at <= ${new Date(now)}`

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

/** As `SignOn.logOut` (OpenID Connect Back-Channel Logout 1.0). */
function logOut(db: Kysely<Tables>, logout: Logout, at: { now: number; expiresAt: number }) {
  const { issuer, subject, sid, jti } = logout
  return db.transaction().execute(async (tx) => {
    await dropRows(tx, { from: 'logout_tokens', key: ['token_hash'], where: ended(at.now), limit: BATCH })
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
    const gone = await tx.deleteFrom('sessions').where('id', 'in', named).returning('id').execute()
    return gone.length
  })
}

/** Sign-ons under way, which every process of the API shares. */
function kyselyStates(db: Kysely<Tables>): Pick<SignOn, 'open' | 'take'> {
  const counted = (createdAt: number) =>
    db
      .selectFrom('sign_on_states')
      .select((select) => select.fn.countAll<number>().as('items'))
      .where('expires_at', '>', new Date(createdAt))

  return {
    async open(state, { perAddress, inAll }) {
      await dropRows(db, { from: 'sign_on_states', key: ['state_hash'], where: ended(state.createdAt), limit: BATCH })
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
