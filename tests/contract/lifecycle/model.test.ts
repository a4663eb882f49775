import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'
import { memoryDatabase } from '../../builders/accounts/memory-database.ts'
import { history } from '../../builders/lifecycle/histories.ts'
import { longer } from '../../builders/platform/longer.ts'
import { played, tally } from './histories.ts'

const HISTORIES = longer(250)

let database: AccountsDatabase
beforeAll(async () => {
  database = await memoryDatabase()
})
afterAll(() => database?.close())

test(
  'whatever happens in whatever order, and whatever fails on the way, the stores end as the model says',
  async () => {
    const all = tally()
    await fc.assert(
      fc.asyncProperty(history, async (steps) => all.add(await played(database, steps))),
      { numRuns: HISTORIES },
    )
    all.report('embedded')
    expect(all.sum.taken / all.sum.operations).toBeGreaterThan(0.3)
    for (const often of [all.sum.died, all.sum.failed, all.sum.repeated]) expect(often).toBeGreaterThan(HISTORIES / 10)
  },
  longer(240_000),
)
