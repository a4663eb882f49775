/** What is promised of feeds that leave the platform over any database. */

import { afterAll, beforeAll, describe } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'
import { definitionPromises } from './definitions.ts'
import { offboardingPromises } from './offboarding.ts'
import { tokenPromises } from './tokens.ts'
import { feedsWorld, type World } from './world.ts'

export function feedsOutContract(name: string, open: () => Promise<AccountsDatabase>): void {
  describe(name, () => {
    const world = {} as World
    beforeAll(async () => {
      Object.assign(world, feedsWorld(await open()))
    })
    afterAll(() => world.people?.close())
    definitionPromises(world)
    tokenPromises(world)
    offboardingPromises(world)
  })
}
