import type { ShadowNotes } from '../../connectors/history/port.ts'
import type { FoldReport, SliceTask } from './fold.ts'
import { type Plan, sliceName, tasksOf } from './plan.ts'

export type Folded = FoldReport & { slices: number }

/**
 * Folds every slice of the plan that is not noted as done, as many at once as there are `workers`; each is noted once
 * everything of it is stored.
 * @throws the first error of a worker, after the others have ended what they do
 */
export async function foldAll(
  plan: Plan,
  notes: ShadowNotes,
  workers: readonly ((task: SliceTask) => Promise<FoldReport>)[],
): Promise<Folded> {
  const done = await notes.read()
  const left = tasksOf(plan).filter((task) => !done.has(sliceName(task)))
  const total: Folded = { slices: left.length, records: 0, kept: 0, dead: 0, entities: 0 }
  let failed = false
  const foldInTurn = async (fold: (task: SliceTask) => Promise<FoldReport>): Promise<void> => {
    for (let task = left.shift(); task !== undefined && !failed; task = left.shift()) {
      const report = await fold(task)
      await notes.write(sliceName(task), JSON.stringify(report))
      for (const name of ['records', 'kept', 'dead', 'entities'] as const) total[name] += report[name]
    }
  }
  const ended = await Promise.allSettled(
    workers.map((fold) =>
      foldInTurn(fold).catch((error: unknown) => {
        failed = true
        throw error
      }),
    ),
  )
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return total
}
