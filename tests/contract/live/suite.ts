/** What every database of live streams promises, above all to callers at the same time. */

import { afterAll, beforeAll, describe, test as everywhere } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { Open, Test } from '../../builders/accounts/database/suites.ts'
import { offboardingPromises } from './offboarding.ts'
import { placePromises } from './places.ts'
import { ticketPromises } from './tickets.ts'
import { liveWorld, type World } from './world.ts'

/** @param another opens the same database once more, as another process does; default: there is one connection to all */
export function liveContract(name: string, open: Open, another?: Open, test: Test = everywhere): void {
  describe(name, () => {
    const world = {} as World
    let other: AccountsDatabase | undefined
    beforeAll(async () => {
      const database = await open()
      other = await another?.()
      Object.assign(world, liveWorld(database, other ?? database))
    })
    afterAll(async () => {
      await other?.close()
      await world.people?.close()
    })
    placePromises(world, test)
    ticketPromises(world, test)
    offboardingPromises(world, test)
  })
}
