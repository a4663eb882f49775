/** Membership under races, on a real PostgreSQL: the embedded one does one thing after the other. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import type { MemberRole } from '../../../schemas/accounts/team.ts'
import { type People, peopleOf } from '../../builders/accounts/team.ts'
import { type Arena, NONE, newArena, raceOf, type Violations } from './race.ts'

const url = process.env.DATABASE_URL
const CONNECTIONS = 8

/** How often: random changes, those where several owners are appointed, and each scene. */
export type Rounds = { random: number; owners: number; scenes: number }

export function teamRaces({ random, owners, scenes: times }: Rounds): void {
  if (url === undefined && process.env.CI === 'true') {
    test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
  }

  describe.skipIf(url === undefined)('on PostgreSQL (DATABASE_URL)', () => {
    let people: People
    beforeAll(async () => {
      people = peopleOf(await postgresDatabase({ url: url!, poolSize: CONNECTIONS, onConnectionLost: () => undefined }))
    })
    afterAll(() => people?.close())

    async function raced(rounds: number, appointed: readonly MemberRole[], seed: number): Promise<Violations> {
      const seen = await raceOf(people, { rounds, atOnce: CONNECTIONS, appointed, seed })
      process.stdout.write(`team races: ${rounds} rounds of ${CONNECTIONS} at once, ${JSON.stringify(seen)}\n`)
      return seen
    }

    test('random changes leave no customer without owner, nobody in two, and no second owner by a transfer', async () => {
      expect(await raced(random, ['admin', 'user'], 1)).toEqual(NONE)
    }, 240_000)

    test('nor do they where the administration appoints several owners', async () => {
      expect(await raced(owners, ['owner', 'owner', 'user'], 2)).toMatchObject({ ownerless: 0, twice: 0 })
    }, 240_000)

    /** Eight people: 0 owns a customer with 1 to 5 in it, 6 owns another one, 7 is free. */
    async function staged(arena: Arena, second: MemberRole): Promise<string[]> {
      const people = await Promise.all(Array.from({ length: 8 }, arena.account))
      await Promise.all([arena.create(people[0]!), arena.create(people[6]!)])
      for (const [i, role] of [second, 'admin', 'admin', 'user', 'user'].entries()) {
        await arena.appoint(people[0]!, people[i + 1]!, role as MemberRole)
      }
      return people
    }

    type Scene = { name: string; second: MemberRole; race: (arena: Arena, p: string[]) => Promise<unknown>[] }
    const scenes: Scene[] = [
      {
        name: 'both owners leave, and are demoted and removed by each other',
        second: 'owner',
        race: (arena, [a, b]) => [
          arena.change(a!, a!, { kind: 'leave' }),
          arena.change(b!, b!, { kind: 'leave' }),
          arena.change(a!, b!, { kind: 'remove' }),
          arena.change(b!, a!, { kind: 'remove' }),
          arena.change(a!, b!, { kind: 'set', role: 'user' }),
          arena.change(b!, a!, { kind: 'set', role: 'admin' }),
          arena.erase(b!),
        ],
      },
      {
        name: 'an owner transfers to five at once while they leave or are removed',
        second: 'admin',
        race: (arena, [owner, ...others]) => [
          ...others.slice(0, 5).map((to) => arena.change(owner!, to!, { kind: 'transfer' })),
          arena.change(others[0]!, others[0]!, { kind: 'leave' }),
          arena.change(others[1]!, others[2]!, { kind: 'remove' }),
          arena.erase(others[3]!),
        ],
      },
      {
        name: 'an owner is deleted while it transfers',
        second: 'admin',
        race: (arena, [owner, other]) => [
          arena.change(owner!, other!, { kind: 'transfer' }),
          arena.erase(owner!),
          arena.change(other!, other!, { kind: 'leave' }),
          arena.erase(other!),
        ],
      },
      {
        name: 'two customers add one user, who founds a third',
        second: 'admin',
        race: (arena, p) => [
          arena.change(p[0]!, p[7]!, { kind: 'add', role: 'user' }),
          arena.change(p[6]!, p[7]!, { kind: 'add', role: 'admin' }),
          arena.change(p[1]!, p[7]!, { kind: 'add', role: 'user' }),
          arena.appoint(p[6]!, p[7]!, 'user'),
          arena.create(p[7]!),
          arena.create(p[7]!),
          arena.erase(p[7]!),
        ],
      },
    ]

    for (const { name, second, race } of scenes) {
      test(`${name}: ${times} times, and the promises hold`, async () => {
        const arena = await newArena(people, 0)
        for (let i = 0; i < times; i++) {
          await Promise.all(race(arena, await staged(arena, second)))
          expect(await arena.violations()).toMatchObject({ ownerless: 0, twice: 0 })
          if (second !== 'owner') expect(await arena.violations()).toEqual(NONE)
        }
      }, 60_000)
    }
  })
}
