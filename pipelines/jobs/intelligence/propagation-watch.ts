import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ReachJob, Turn } from './propagation.ts'

/** A floor holds within a few seconds of the mark or the report. */
const EVERY_MS = 1_500

/** Gives the job its turns, one at a time, until stopped; a turn that failed is followed by the next. */
export function watchReach(job: (signal: AbortSignal) => ReachJob, logger: Logger) {
  const stopping = new AbortController()
  const { signal } = stopping
  const reach = job(signal)
  let warned = false

  const tell = ({ told, swept, full }: Turn): void => {
    if (told > 0) logger.info({ told, swept }, 'entities lie under covering marks')
    if (full && !warned) logger.warn('there are more covering marks than can be known: some cover nothing')
    warned = full
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      await reach
        .turn()
        .then(tell)
        .catch((err: unknown) => signal.aborted || logger.warn({ err }, 'what lies under covering marks was not found'))
      await sleep(EVERY_MS, undefined, { signal })
    }
  }
  // Only the wait rejects, when it is stopped.
  const watching = watch().catch(() => undefined)
  return {
    stored: reach.stored,
    async stop(): Promise<void> {
      stopping.abort()
      await watching
    },
  }
}
