/** What the delivery of alerts promises over any database, with receivers on loopback. */

import { afterAll, afterEach, beforeAll, describe, test as everywhere } from 'vitest'
import { type Open, type Test, untouched } from '../../builders/accounts/database/suites.ts'
import { destinationPromises } from './destinations.ts'
import { digestPromises } from './digests.ts'
import { orderPromises } from './order.ts'
import { receiverPromises } from './receivers.ts'
import { rightsPromises } from './rights.ts'
import { deliveriesWorld, type World } from './world.ts'

export function deliveriesContract(name: string, open: Open, test: Test = everywhere): void {
  describe(name, { timeout: 60_000 }, () => {
    const world = {} as World
    beforeAll(async () => {
      Object.assign(world, await deliveriesWorld(await open()))
    }, 60_000)
    afterEach(() => world.clear())
    afterAll(() => world.people?.close())
    destinationPromises(world, test)
    orderPromises(world, test)
    if (test === untouched) return
    receiverPromises(world)
    digestPromises(world)
    rightsPromises(world)
  })
}
