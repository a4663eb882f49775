import type { Logger } from 'pino'
import { type RoundsOptions, startRounds } from '../../../platform/rounds.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { PropagationJob, PropagationTurn } from './propagation-job.ts'

/** A floor holds within a few seconds of the mark or the report. */
const EVERY_MS = 1_500
/** How often the only process of its kind reads the marks, which it has stored itself. */
const ALONE_MS = 20_000

export type PropagationWatchOptions = {
  /** Whether no other process stores marks: then a turn follows only what this one has stored (ADR 281). */
  alone: boolean
  /** Unix milliseconds. */
  now: () => number
  logger: Logger
} & Pick<RoundsOptions, 'pause'>

export type PropagationWatch = Pick<PropagationJob, 'isCovered'> & {
  /** As that of the job. */
  concerns(row: EntityState): boolean
  /** As that of the job; a turn follows at once, or 1.5 s after the last one. */
  stored(rows: readonly EntityState[]): Promise<void>
  stop(): Promise<void>
}

/** Gives the job its turns, one at a time, until stopped; a turn that failed is followed by the next. */
export function watchPropagation(
  job: (signal: AbortSignal) => PropagationJob,
  { alone, now, logger, ...options }: PropagationWatchOptions,
): PropagationWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  const propagation = job(signal)
  let warned = false
  let turnAt = Number.NEGATIVE_INFINITY

  const logTurn = ({ sent, swept, full }: PropagationTurn): void => {
    if (sent > 0)
      logger.info(
        { sent, swept },
        'allowlist propagation: updated entities that are covered by well-known networks or domains',
      )
    if (full && !warned) logger.warn('too many covering well-known marks; some of them are not propagated')
    warned = full
  }

  const rounds = startRounds({
    ...options,
    async round() {
      // Every range that is stored wakes: a turn looks at all of them at once.
      const restMs = turnAt + EVERY_MS - performance.now()
      if (restMs > 0) return restMs
      turnAt = performance.now()
      logTurn(await propagation.turn())
      if (!alone) return EVERY_MS
      const at = propagation.nextAt()
      return at === null ? ALONE_MS : Math.min(Math.max(0, at - now()), ALONE_MS)
    },
    onFailure: (err) => signal.aborted || logger.warn({ err }, 'allowlist propagation failed; retrying'),
    failedMs: EVERY_MS / 2,
    maxPauseMs: EVERY_MS,
  })
  return {
    isCovered: propagation.isCovered,
    concerns: propagation.concerns,
    async stored(rows) {
      await propagation.stored(rows)
      rounds.wake()
    },
    async stop() {
      stopping.abort()
      await rounds.stop()
    },
  }
}
