/** What is promised of casework over any database. */

import { afterAll, beforeAll, describe } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'
import { alertPromises } from './alerts.ts'
import { entryPromises } from './entries.ts'
import { matchPromises } from './matches.ts'
import { recordPromises } from './records.ts'
import { triagePromises } from './triage.ts'
import { watchedPromises } from './watched.ts'
import { caseworkWorld, type World } from './world.ts'

export function caseworkContract(name: string, open: () => Promise<AccountsDatabase>): void {
  describe(name, () => {
    const world = {} as World
    beforeAll(async () => {
      Object.assign(world, caseworkWorld(await open()))
    })
    afterAll(() => world.people?.close())
    recordPromises(world)
    entryPromises(world)
    alertPromises(world)
    matchPromises(world)
    watchedPromises(world)
    triagePromises(world)
  })
}
