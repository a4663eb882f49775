import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryDatabase } from '../../builders/accounts/database/memory-database.ts'
import { history } from '../../builders/lifecycle/histories.ts'
import { during } from '../../builders/suite/during.ts'
import { played, tally } from './histories.ts'

/** A test of so many random histories. */
export function lifecycleModel(count: number): void {
  const database = during(memoryDatabase)

  test(
    'whatever happens in whatever order, and whatever fails on the way, the stores end as the model says',
    async () => {
      const all = tally()
      await fc.assert(
        fc.asyncProperty(history, async (steps) => all.add(await played(database, steps))),
        { numRuns: count },
      )
      all.report('embedded')
      expect(all.sum.taken / all.sum.operations).toBeGreaterThan(0.3)
      for (const often of [all.sum.died, all.sum.failed, all.sum.repeated]) expect(often).toBeGreaterThan(count / 10)
    },
    240_000 * Math.ceil(count / 250),
  )
}
