/** Many who change the same few customers at once, and the promises that must hold at every moment. */

import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { ChangeRequest } from '../../../connectors/postgres/accounts/team/port.ts'
import { seededRandom } from '../../../platform/random.ts'
import { MEMBER_ROLES, type MemberChange, type MemberRole } from '../../../schemas/accounts/team.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import { newCustomer, type People } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'

/** What must be zero; `severalOwners` only where the administration appoints no owners. */
export type Violations = { ownerless: number; twice: number; severalOwners: number }

export const NONE: Violations = { ownerless: 0, twice: 0, severalOwners: 0 }

export type Arena = {
  ids: string[]
  account(): Promise<string>
  create(user: string): Promise<unknown>
  change(caller: string, target: string, change: MemberChange): ReturnType<People['team']['change']>
  appoint(near: string, target: string, role: MemberRole): Promise<unknown>
  /** Says yes to the newest invitation of the user, if there is one. */
  accept(user: string): Promise<unknown>
  erase(user: string): Promise<unknown>
  /** One statement: what was true at one moment, also in the middle of a race. */
  violations(): Promise<Violations>
}

/** Customers of this arena carry its name: other tests may use the same database. */
export async function newArena({ accounts, team, offboarding, db }: People, size: number): Promise<Arena> {
  const name = randomUUID()
  const account = async () => {
    const user = newUser({ alias: name })
    await accounts.createUser(user)
    return user.id
  }
  const ids = await Promise.all(Array.from({ length: size }, account))
  return {
    ids,
    account,
    create: (user) => team.createCustomer(newCustomer(user, { name })),
    change: (caller, target, change) =>
      team.change({ caller, target, change, membershipId: randomUUIDv7() } satisfies ChangeRequest),
    async appoint(near, userId, role) {
      const customerId = (await team.membership(near))?.customerId
      if (customerId === undefined) return null
      return team.appoint({ customerId, userId, role, membershipId: randomUUIDv7() })
    },
    accept: async (user) => {
      const waiting = await team.waiting(user)
      return waiting.length === 0 ? null : team.accept(user, waiting.at(-1)!.customerId, Date.now())
    },
    erase: (user) => offboarding.deleteUser(user, cause()),
    async violations() {
      const { rows } = await sql<Violations>`
        WITH owned AS (
          SELECT c.id, count(m.id) FILTER (WHERE m.role = 'owner' AND m.accepted_at IS NOT NULL) AS owners
          FROM customers c LEFT JOIN memberships m ON m.customer_id = c.id WHERE c.name = ${name} GROUP BY c.id
        ), joined AS (
          SELECT m.user_id, count(*) AS times FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE u.alias = ${name} AND m.accepted_at IS NOT NULL GROUP BY m.user_id
        )
        SELECT (SELECT count(*) FROM owned WHERE owners = 0) AS ownerless,
               (SELECT count(*) FROM owned WHERE owners > 1) AS "severalOwners",
               (SELECT count(*) FROM joined WHERE times > 1) AS twice`.execute(db)
      return rows[0]!
    },
  }
}

/** One random operation by and on random people; `random` answers below its argument. */
export function anyOperation(arena: Arena, random: (below: number) => number, appointed: readonly MemberRole[]) {
  const someone = () => arena.ids[random(arena.ids.length)]!
  const role = (among: readonly MemberRole[] = MEMBER_ROLES) => among[random(among.length)]!
  const caller = someone()
  const kinds: (() => Promise<unknown>)[] = [
    () => arena.create(caller),
    () => arena.change(caller, someone(), { kind: 'add', role: role(['admin', 'user']) }),
    () => arena.accept(caller),
    () => arena.accept(caller),
    () => arena.change(caller, someone(), { kind: 'set', role: role() }),
    () => arena.change(caller, someone(), { kind: 'remove' }),
    () => arena.change(caller, someone(), { kind: 'transfer' }),
    () => arena.change(caller, caller, { kind: 'leave' }),
    () => arena.appoint(caller, someone(), role(appointed)),
    () => arena.appoint(caller, someone(), role(appointed)),
    async () => {
      const at = random(arena.ids.length)
      // One deletion in five: it ends a customer whose owner it meets.
      if (random(5) > 0) return arena.change(arena.ids[at]!, someone(), { kind: 'transfer' })
      await arena.erase(arena.ids[at]!)
      arena.ids[at] = await arena.account()
    },
  ]
  return kinds[random(kinds.length)]!()
}

export type Race = { rounds: number; atOnce: number; appointed: readonly MemberRole[]; seed: number }

/** Random changes, so many at once, round after round: what was seen amid each round and after it, added up. */
export async function raceOf(people: People, { rounds, atOnce, appointed, seed }: Race): Promise<Violations> {
  const fraction = seededRandom(seed)
  const random = (below: number) => Math.floor(fraction() * below)
  const arena = await newArena(people, 6)
  const seen = { ...NONE }
  for (let round = 0; round < rounds; round++) {
    const racing = Promise.all(Array.from({ length: atOnce }, () => anyOperation(arena, random, appointed)))
    for (const moment of [await arena.violations(), await racing.then(() => arena.violations())])
      for (const key of Object.keys(seen) as (keyof Violations)[]) seen[key] += moment[key]
  }
  return seen
}
