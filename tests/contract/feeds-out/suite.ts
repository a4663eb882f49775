/** What is promised of feeds that leave the platform over any database. */

import { afterAll, beforeAll, describe, test as everywhere } from 'vitest'
import type { Open, Test } from '../../builders/accounts/database/suites.ts'
import { definitionPromises } from './definitions.ts'
import { offboardingPromises } from './offboarding.ts'
import { tokenPromises } from './tokens.ts'
import { feedsWorld, type World } from './world.ts'

export function feedsOutContract(name: string, open: Open, test: Test = everywhere): void {
  describe(name, () => {
    const world = {} as World
    beforeAll(async () => {
      Object.assign(world, feedsWorld(await open()))
    })
    afterAll(() => world.people?.close())
    definitionPromises(world, test)
    tokenPromises(world, test)
    offboardingPromises(world, test)
  })
}
