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
    if (told > 0)
      logger.info(
        { told, swept },
        'allowlist propagation: updated entities that are covered by well-known networks or domains',
      )
    if (full && !warned) logger.warn('too many covering well-known marks; some of them are not propagated')
    warned = full
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      await reach
        .turn()
        .then(tell)
        .catch((err: unknown) => signal.aborted || logger.warn({ err }, 'allowlist propagation failed; retrying'))
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
