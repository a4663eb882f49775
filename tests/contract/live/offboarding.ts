/** What goes with a user or a customer, over any database. */

import { randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import type { Subject } from '../../../connectors/postgres/accounts/plan/port.ts'
import { kyselyOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { newKeyPair } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { person } from '../../builders/accounts/people.ts'
import { crew } from '../../builders/accounts/team.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { NOW, times, type World } from './world.ts'

const ROUNDS = 10

export function offboardingPromises(world: World, test: Test = everywhere): void {
  const ofUser = (id: string): Subject => ({ type: 'user', id })
  const ofCustomer = (id: string): Subject => ({ type: 'customer', id })

  test('the end of a user ends its tickets and the places of its streams, and those of nobody else', async () => {
    const { people, places, tickets, stream } = world
    const [gone, kept] = [await person(people.accounts), await person(people.accounts)]
    const hashes = []
    for (const { id: userId } of [gone, kept]) {
      const pair = newKeyPair(userId)
      await people.accounts.createKeyPair(pair)
      const ticketHash = world.hash()
      const caller = { kind: 'key pair', userId, id: pair.id } as const
      expect(await tickets.issue({ ticketHash, caller, expiresAt: NOW + 1 })).toBe(true)
      hashes.push(ticketHash)
    }
    const lost = await stream(ofUser(gone.id), 2)
    const others = [await stream(ofUser(kept.id), 2), await stream(ofCustomer(gone.id), 2)]
    expect(await people.offboarding.deleteUser(gone.id, cause())).toBe(true)
    expect(await tickets.redeem(hashes[0]!, NOW)).toBeNull()
    expect(await tickets.redeem(hashes[1]!, NOW)).toMatchObject({ caller: { userId: kept.id } })
    expect(await places.renew([lost!, ...others.map((id) => id!)], NOW)).toEqual(new Set(others))
  })

  test('the end of a customer ends the places of its streams, and those of no member', async () => {
    const { people, places, stream } = world
    const [team, other] = [await crew(people), await crew(people)]
    const lost = [await stream(ofCustomer(team.customerId), 2), await stream(ofCustomer(team.customerId), 2)]
    const kept = [await stream(ofCustomer(other.customerId), 2), await stream(ofUser(team.owner.id), 2)]
    const offboarding = kyselyOffboarding(people.db, { append, maxInstances: () => 1 })
    expect(await offboarding.end(team.customerId, { reason: 'owner', cause: cause() })).toBe(true)
    expect(
      await places.renew(
        [...lost, ...kept].map((id) => id!),
        NOW,
      ),
    ).toEqual(new Set(kept))
    expect(await places.open(ofCustomer(team.customerId), NOW)).toBe(0)
  })

  everywhere('renewals, ends and the deletion of a user at once all come to their end', async () => {
    const { people, places, placesOf, stream } = world
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await person(people.accounts)
      const ids: string[] = []
      for (let i = 0; i < 8; i++) ids.push((await stream(ofUser(id), 8))!)
      const backwards = [...ids].reverse()
      const [deleted] = await Promise.all([
        people.offboarding.deleteUser(id, cause()),
        times(6, (i) => placesOf(i).renew(i % 2 === 0 ? ids : backwards, NOW + i)),
        placesOf(round).giveBack(backwards.slice(3)),
        placesOf(round + 1).take(ofUser(id), 8, randomUUID(), NOW),
      ])
      expect(deleted).toBe(true)
      expect(await places.renew(ids, NOW)).toEqual(new Set())
    }
  })
}
