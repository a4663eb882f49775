import type { Command } from 'commander'
import type { Recount } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import { compareCounts } from '../../pipelines/jobs/intelligence/recount-job.ts'
import { OBSERVATIONS, OBSERVERS } from '../../schemas/log/topics.ts'
import { document, withJson } from './output.ts'

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
  const counts = program.command('counts').description('check the counters behind the overview and attribution routes')

  const compare = async (repair: boolean, json = false): Promise<void> => {
    const { log, recount, close } = await open()
    const { signal } = new AbortController()
    const where = { group: OBSERVERS, topic: OBSERVATIONS }
    const options = { ...where, repair, attempts: ATTEMPTS, pauseMs: PAUSE_MS, signal }
    const compared = await compareCounts(log, recount, options).finally(close)
    if (compared.kind === 'never still')
      return counts.error(
        'the jobs did not catch up with the log during the comparison; retry when fewer reports arrive',
      )
    const { counters, difference } = compared.drift
    const found = `${counters} counters differ from a recount of the entities; total difference: ${difference}`
    const corrected = counters > 0 && compared.corrected
    if (json) out.write(document({ counters, difference, corrected }))
    else if (counters === 0) out.write('all counters match a recount of the entities\n')
    else if (corrected) out.write(`${found}; corrected\n`)
    if (counters > 0 && !corrected) counts.error(`${found}; run 'harrier counts repair' to correct them`)
  }

  withJson(counts.command('check'))
    .description('compare the counters with a recount of the entities')
    .action(({ json }: { json?: true }) => compare(false, json))
  withJson(counts.command('repair'))
    .description('compare the counters with a recount and correct them; the platform may keep running')
    .action(({ json }: { json?: true }) => compare(true, json))
}
