import type { StatementStore } from '../../../connectors/feeds/statements/port.ts'
import type { RetractPlace, RetractResult } from '../../../connectors/operations/retractions/port.ts'
import { untilApplied } from '../../retract/applied.ts'
import { FROM_THE_START, NOTHING_DONE, type PageOptions, type RetractPorts } from '../../retract/ports.ts'
import { retractPage } from '../../retract/run-retract.ts'

export type TakeBackOptions = Omit<PageOptions, 'from' | 'to' | 'entityIds' | 'dryRun'>

/**
 * Takes back what left the feed, window by window, once the jobs have applied everything that is on the log. What is done is
 * settled, so an interrupted run goes on where it stopped.
 * @throws RetractionPending when the jobs do not apply the records in time, and the reason of `signal`
 */
export async function takeBackOwed(
  ports: RetractPorts,
  store: StatementStore,
  options: TakeBackOptions,
  onProgress: (done: RetractResult) => void,
): Promise<RetractResult> {
  const result = { ...NOTHING_DONE }
  const page = { ...options, dryRun: false }
  // What was imported a moment ago has to be found in the history.
  await untilApplied(ports.log, { ...page, from: 0, to: 0 }, options.now())
  for (let owed = store.owed(); owed !== null; owed = store.owed()) {
    const refused = result.refused
    for (let after: RetractPlace | null = FROM_THE_START; after !== null; )
      after = await retractPage(ports, { ...page, ...owed }, after, result)
    if (result.refused > refused) return result
    store.settle(owed)
    onProgress({ ...result })
  }
  return result
}
