import type { Command } from 'commander'
import type { Recount } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import { compareCounts } from '../../pipelines/jobs/intelligence/recount.ts'
import { OBSERVATIONS } from '../../schemas/log/topics.ts'

/** What the composition root hands to the command. */
export type CountsContext = {
  log: Pick<EventLog, 'offsets' | 'committed'>
  recount: Recount
  close(): Promise<void>
}

const ATTEMPTS = 20
const PAUSE_MS = 1_000

/** Adds `counts check` and `counts repair` to the program. A check that finds drift ends with exit code 1. */
export function registerCounts(
  program: Command,
  open: () => Promise<CountsContext>,
  out: { write(text: string): unknown },
): void {
  const counts = program.command('counts').description('the counters behind overviews and attributions')

  const compare = async (repair: boolean): Promise<void> => {
    const { log, recount, close } = await open()
    const { signal } = new AbortController()
    const where = { group: 'observe', topic: OBSERVATIONS }
    const options = { ...where, repair, attempts: ATTEMPTS, pauseMs: PAUSE_MS, signal }
    const compared = await compareCounts(log, recount, options).finally(close)
    if (compared.kind === 'never still')
      return counts.error(
        'some reports are not applied yet, or more of them came all the time: try again once they are',
      )
    const { counters, difference } = compared.drift
    const found = `${counters} counters differ from a recount of the entities, by ${difference} in all`
    if (counters === 0) out.write('every counter equals a recount of the entities\n')
    else if (compared.corrected) out.write(`${found}: corrected\n`)
    else counts.error(`${found}: 'counts repair' corrects them`)
  }

  counts
    .command('check')
    .description('compare them with a recount of the entities')
    .action(() => compare(false))
  counts
    .command('repair')
    .description('compare them, and add what they lack; the platform may run meanwhile')
    .action(() => compare(true))
}
