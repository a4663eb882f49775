import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { PropagationJob, PropagationTurn } from './propagation.ts'

/** A floor holds within a few seconds of the mark or the report. */
const EVERY_MS = 1_500

/** Gives the job its turns, one at a time, until stopped; a turn that failed is followed by the next. */
export function watchPropagation(job: (signal: AbortSignal) => PropagationJob, logger: Logger) {
  const stopping = new AbortController()
  const { signal } = stopping
  const propagation = job(signal)
  let warned = false

  const logTurn = ({ sent, swept, full }: PropagationTurn): void => {
    if (sent > 0)
      logger.info(
        { sent, swept },
        'allowlist propagation: updated entities that are covered by well-known networks or domains',
      )
    if (full && !warned) logger.warn('too many covering well-known marks; some of them are not propagated')
    warned = full
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      await propagation
        .turn()
        .then(logTurn)
        .catch((err: unknown) => signal.aborted || logger.warn({ err }, 'allowlist propagation failed; retrying'))
      await sleep(EVERY_MS, undefined, { signal })
    }
  }
  // Only the wait rejects, when it is stopped.
  const watching = watch().catch(() => undefined)
  return {
    stored: propagation.stored,
    async stop(): Promise<void> {
      stopping.abort()
      await watching
    },
  }
}
