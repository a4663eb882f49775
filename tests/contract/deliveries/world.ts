/** A team, its destinations and processes that deliver, over one database. */

import { expect } from 'vitest'
import { kyselyDestinations } from '../../../connectors/postgres/casework/deliveries/destinations.ts'
import type { Delivery, Destinations, NewDestination } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyDeliveryQueue } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import type { DeliveryQueue } from '../../../connectors/postgres/deliveries/port.ts'
import { type DeliveryPorts, delivering } from '../../../pipelines/runtime/leases/deliveries.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { type Crew, crew, type People, peopleOf } from '../../builders/accounts/team.ts'
import { receiver } from '../../builders/network/receiver.ts'
import { delivererOver, newDestination } from '../../builders/scans/deliveries.ts'

export const NOW = 1_800_000_000_000

export type World = {
  people: People
  team: Crew
  owner: Owner
  clock: { now: number }
  destinations: Destinations
  queue: DeliveryQueue<'alert'>
  made(given?: Partial<NewDestination>): Promise<NewDestination>
  receiving(...given: Parameters<typeof receiver>): ReturnType<typeof receiver>
  /** What is due is tried, and its end awaited, until nothing is due. Returns how many destinations were served. */
  round(given?: Partial<DeliveryPorts<'alert'>>): Promise<number>
  deliverer(given?: Partial<DeliveryPorts<'alert'>>): ReturnType<typeof delivererOver<'alert'>>
  /** Oldest first. */
  deliveries(destination: { id: string }): Promise<Delivery[]>
  /** Closes receivers, and forgets destinations and alerts. */
  clear(): Promise<void>
}

export async function deliveriesWorld(database: AccountsDatabase): Promise<World> {
  const people = peopleOf(database)
  const team = await crew(people)
  const owner = { customerId: team.customerId, userId: team.user.id }
  const destinations = kyselyDestinations(people.db, BUILT_IN_TIERS)
  const clock = { now: NOW }
  const closing: (() => Promise<void>)[] = []
  const deliverer = (given: Partial<DeliveryPorts<'alert'>> = {}) =>
    delivererOver(people.db, 'alert', { now: () => clock.now, ...given })

  return {
    people,
    team,
    owner,
    clock,
    destinations,
    queue: kyselyDeliveryQueue(people.db, 'alert'),
    deliverer,
    async made(given = {}) {
      const one = newDestination(owner, given)
      expect(await destinations.create(one)).toBe('created')
      return one
    },
    async receiving(...given) {
      const opened = await receiver(...given)
      closing.push(opened.close)
      return opened
    },
    async round(given = {}) {
      const { ports, failures } = deliverer(given)
      const sending = delivering(ports)
      let served = 0
      for (let begun = await sending.begin(); begun > 0; begun = await sending.begin()) {
        await sending.ended()
        served += begun
      }
      expect(failures).toEqual([])
      return served
    },
    async deliveries({ id }) {
      const all: Delivery[] = []
      let after: string | null = null
      do {
        const page: Awaited<ReturnType<typeof destinations.deliveries>> = await destinations.deliveries(owner, id, {
          after,
          limit: 500,
        })
        all.push(...page!.deliveries)
        after = page!.next
      } while (after !== null)
      return all.reverse()
    },
    async clear() {
      for (const close of closing.splice(0).reverse()) await close()
      await people.db.deleteFrom('delivery_queues').execute()
      await people.db.deleteFrom('casework_alerts').execute()
      await people.db.deleteFrom('casework_public_alerts').execute()
      clock.now = NOW
    },
  }
}
