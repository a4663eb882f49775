/** What is promised of casework over any database. */

import { afterAll, beforeAll, describe, test as everywhere } from 'vitest'
import type { Open, Test } from '../../builders/accounts/database/suites.ts'
import { alertPromises } from './alerts.ts'
import { entryPromises } from './entries.ts'
import { matchPromises } from './matches.ts'
import { recordPromises } from './records.ts'
import { triagePromises } from './triage.ts'
import { watchedPromises } from './watched.ts'
import { caseworkWorld, type World } from './world.ts'

export function caseworkContract(name: string, open: Open, test: Test = everywhere): void {
  describe(name, () => {
    const world = {} as World
    beforeAll(async () => {
      Object.assign(world, caseworkWorld(await open()))
    })
    afterAll(() => world.people?.close())
    recordPromises(world, test)
    entryPromises(world, test)
    alertPromises(world, test)
    matchPromises(world, test)
    watchedPromises(world, test)
    triagePromises(world, test)
  })
}
