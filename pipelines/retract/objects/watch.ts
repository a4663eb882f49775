import type { Logger } from 'pino'
import { pause } from '../../../platform/pause.ts'
import { type ObjectsOptions, type ObjectsPorts, objectsJob } from './turn.ts'

const EVERY_MS = 3_000
/** A pause is this many times as long as the turn before it: a long topic takes a small share of the time. */
const SHARE = 10
/** No pause is longer: a turn that waited for the jobs must not put off for hours what ends meanwhile. */
const MOST_MS = 60_000
/** The jobs apply the records of a page in seconds; what stands still longer is looked at again in the next turn. */
const PATIENCE = { stalledMs: 20_000, mostMs: 120_000 }

/**
 * Looks every three seconds for claims of objects that hold no more, until stopped; a turn that failed is followed by the
 * next, which does what was left.
 * @param alone whether this is the only process that does; several begin at different moments
 */
export function watchObjects(
  ports: ObjectsPorts,
  { alone, logger, dedupeWindow }: { alone: boolean; logger: Logger } & Pick<ObjectsOptions, 'dedupeWindow'>,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const job = objectsJob(ports, { dedupeWindow, patience: PATIENCE, now: Date.now, pause, signal })

  const once = async (): Promise<void> => {
    const { claims, refused } = await job.turn()
    if (claims > 0)
      logger.info({ claims }, 'retracted claims of STIX objects that were revoked, replaced or have ended')
    if (refused > 0) logger.warn({ refused }, 'the jobs refused to retract claims of STIX objects; retrying later')
  }

  const watch = async (): Promise<void> => {
    if (!alone) await pause(Math.random() * EVERY_MS, signal)
    while (!signal.aborted) {
      const began = performance.now()
      await once().catch(
        (err: unknown) => signal.aborted || logger.warn({ err }, 'cannot retract claims of STIX objects; retrying'),
      )
      await pause(pauseAfter(performance.now() - began), signal)
    }
  }
  const watching = watch()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await watching
    },
  }
}

/** How long nothing is looked at after a turn that took so long, in milliseconds. */
export const pauseAfter = (tookMs: number): number => Math.min(MOST_MS, Math.max(EVERY_MS, tookMs * SHARE))
