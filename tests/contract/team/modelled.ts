import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embeddedPeople } from '../../builders/accounts/team.ts'
import { during } from '../../builders/suite/during.ts'
import { newModel, newReal, operations } from './model.ts'

/** A test of so many random sequences of up to 60 operations. */
export function teamModel(sequences: number): void {
  const people = during(embeddedPeople)

  test('whatever is done in whatever order, memberships are those of the model and every customer has an owner', async () => {
    const done = { operations: 0, taken: 0 }
    await fc.assert(
      fc.asyncProperty(operations(60), async (commands) => {
        const real = await newReal(people)
        await fc.asyncModelRun(() => ({ model: newModel(), real }), commands)
        done.operations += real.operations
        done.taken += real.taken
      }),
      { numRuns: sequences },
    )
    expect(done.operations).toBeGreaterThan(16 * sequences)
    // A model that refuses everything agrees with a store that refuses everything.
    expect(done.taken / done.operations).toBeGreaterThan(0.1)
    process.stdout.write(`team model: ${done.operations} operations, ${done.taken} taken\n`)
  }, 120_000)
}
