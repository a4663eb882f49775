/** What the queue of deliveries promises of both kinds over any database, with receivers on loopback. */

import { afterAll, afterEach, beforeAll, describe, test as everywhere } from 'vitest'
import { DELIVERY_KINDS } from '../../../schemas/casework/deliveries/schedule.ts'
import { type Open, type Test, untouched } from '../../builders/accounts/database/suites.ts'
import { destinationPromises } from './destinations.ts'
import { digestPromises } from './digests.ts'
import { leasePromises } from './leases.ts'
import { orderPromises } from './order.ts'
import { receiverPromises } from './receivers.ts'
import { rightsPromises } from './rights.ts'
import { tryPromises } from './tries.ts'
import { webhookPromises } from './webhooks.ts'
import { deliveriesWorld, type World } from './world.ts'

export function deliveriesContract(name: string, open: Open, test: Test = everywhere): void {
  describe(name, { timeout: 60_000 }, () => {
    const world = {} as World
    beforeAll(async () => {
      Object.assign(world, await deliveriesWorld(await open()))
    }, 60_000)
    afterEach(() => world.clear())
    afterAll(() => world.people?.close())
    for (const kind of DELIVERY_KINDS) leasePromises(world, kind, test)
    destinationPromises(world, test)
    orderPromises(world, test)
    if (test === untouched) return
    for (const kind of DELIVERY_KINDS) tryPromises(world, kind)
    webhookPromises(world)
    receiverPromises(world)
    digestPromises(world)
    rightsPromises(world)
  })
}
