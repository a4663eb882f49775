import { expect } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { Step } from '../../builders/lifecycle/histories.ts'
import { type Figures, world } from '../../builders/lifecycle/world.ts'

/** Plays one history, lets the dust settle, and compares everything with the model. */
export async function played(
  database: AccountsDatabase,
  steps: readonly Step[],
  options: Parameters<typeof world>[1] = {},
): Promise<Figures> {
  const one = await world(database, options)
  await one.populated()
  for (const step of steps) await one.play(step)
  await one.settle()
  const { real, model } = await one.compared()
  // Order across keys is nobody's promise.
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
  real.events.sort(byText)
  model.events.sort(byText)
  expect(real).toEqual(model)
  return one.figures
}

/** Sums of many histories. */
export function tally() {
  const sum: Figures & { histories: number } = {
    histories: 0,
    operations: 0,
    taken: 0,
    events: 0,
    records: 0,
    repeated: 0,
    died: 0,
    failed: 0,
  }
  return {
    sum,
    add(figures: Figures): void {
      sum.histories++
      for (const name of Object.keys(figures) as (keyof Figures)[]) sum[name] += figures[name]
    },
    report: (name: string) =>
      process.stdout.write(
        `lifecycle model, ${name}: ${sum.histories} histories, ${sum.operations} operations (${sum.taken} taken), ` +
          `${sum.events} events on ${sum.records} records, ${sum.repeated} repeated, ${sum.died} deaths, ${sum.failed} failed steps\n`,
      ),
  }
}
