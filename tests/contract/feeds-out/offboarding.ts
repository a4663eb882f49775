/** What is promised of feeds whose owner ends, over any database. */

import { test as everywhere, expect } from 'vitest'
import { kyselyOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { person } from '../../builders/accounts/people.ts'
import { crew } from '../../builders/accounts/team.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { NOW, ofCustomer, ofUser, type World } from './world.ts'

export function offboardingPromises(world: World, test: Test = everywhere): void {
  test('the end of a customer deletes its feeds with their tokens, and tells the job of each', async () => {
    const [team, other] = [await crew(world.people), await crew(world.people)]
    const gone = [await world.made(ofCustomer(team.customerId), team.user.id)]
    gone.push(await world.made(ofCustomer(team.customerId), team.owner.id))
    const kept = await world.made(ofCustomer(other.customerId), other.user.id)
    const own = await world.made(ofUser(team.user.id), team.user.id)
    const token = world.token(gone[0]!.id, team.user.id)
    expect(await world.tokens.add(token, 100)).toBe('added')
    const offboarding = kyselyOffboarding(world.people.db, { append, maxInstances: () => 1 })
    expect(await offboarding.end(team.customerId, { reason: 'owner', cause: cause() })).toBe(true)
    for (const { id } of gone) {
      expect(await world.feeds.feed(id)).toBeNull()
      expect((await world.commands(id)).at(-1)).toEqual({ kind: 'delete', id })
    }
    expect(await world.tokens.find(token.tokenHash)).toBeNull()
    for (const { id } of [kept, own]) {
      expect((await world.feeds.feed(id))?.id).toBe(id)
      expect(await world.commands(id)).toHaveLength(1)
    }
  })

  test('the end of a user deletes its own feeds and every token that it made, and no feed of its customer', async () => {
    const team = await crew(world.people)
    const own = await world.made(ofUser(team.user.id), team.user.id)
    const shared = await world.made(ofCustomer(team.customerId), team.user.id)
    const [token, other] = [world.token(shared.id, team.user.id), world.token(shared.id, team.owner.id)]
    for (const one of [token, other]) expect(await world.tokens.add(one, 100)).toBe('added')
    expect(await world.people.offboarding.deleteUser(team.user.id, cause())).toBe(true)
    expect(await world.feeds.feed(own.id)).toBeNull()
    expect((await world.commands(own.id)).at(-1)).toEqual({ kind: 'delete', id: own.id })
    expect(await world.feeds.feed(shared.id)).toEqual(shared)
    expect((await world.tokens.list(shared.id, NOW)).map(({ id }) => id)).toEqual([other.id])
  })

  everywhere('no feed outlives its owner, whoever makes one meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const alone = await person(world.people.accounts)
      const made = Array.from({ length: 3 }, () => world.feed(ofUser(alone.id), alone.id))
      await Promise.all([
        ...made.map((feed) => world.feeds.create(feed, true)),
        world.people.offboarding.deleteUser(alone.id, cause()),
      ])
      for (const { id } of made) {
        expect(await world.feeds.feed(id)).toBeNull()
        expect(['delete', undefined]).toContain((await world.commands(id)).at(-1)?.kind)
      }
    }
  })
}
