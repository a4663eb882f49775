import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ComparisonRunning, type CountDrift, type Recount } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import { compareCounts } from './recount-job.ts'

/** A start has better things to do first; ten minutes of attempts find a moment between two batches. */
const FIRST_MS = 30_000
const EVERY_MS = 24 * 60 * 60 * 1000
const ATTEMPTS = 200
const PAUSE_MS = 3_000

export type CountsWatch = {
  /** Ends what runs; resolves once it has ended. */
  stop(): Promise<void>
}

/** Compares the counters with a recount after the start and once a day; reports the drift and logs a warning. */
export function watchCounts(
  log: Pick<EventLog, 'offsets' | 'committed'>,
  recount: Recount,
  { repair, logger, report }: { repair: boolean; logger: Logger; report: (news: { drift: CountDrift }) => void },
): CountsWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  const options = { group: OBSERVERS, topic: OBSERVATIONS, repair, attempts: ATTEMPTS, pauseMs: PAUSE_MS, signal }

  const once = async (): Promise<void> => {
    const compared = await compareCounts(log, recount, options)
    if (compared.kind === 'never still')
      return logger.info('the counters were not compared because the jobs were never idle')
    const { drift, corrected } = compared
    report({ drift })
    if (drift.counters > 0) logger.warn({ ...drift, corrected }, 'the counters differ from a recount of the entities')
    else logger.debug('the counters match a recount of the entities')
  }

  const failed = (err: unknown): void => {
    if (signal.aborted) return
    // All processes of the role begin at the same moments, and one comparison is enough for them.
    if (err instanceof ComparisonRunning) logger.info('another process compares the counters with a recount')
    else logger.warn({ err }, 'cannot compare the counters with a recount; next attempt tomorrow')
  }

  const watch = async (): Promise<void> => {
    for (let wait = FIRST_MS; ; wait = EVERY_MS) {
      await sleep(wait, undefined, { signal })
      // Whatever failed, answers are as right as they were: the jobs go on, and tomorrow is another try.
      await once().catch(failed)
    }
  }
  // Only the wait rejects, when it is stopped.
  const watching = watch().catch(() => undefined)
  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
