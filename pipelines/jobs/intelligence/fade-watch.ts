import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { pause } from '../../../platform/pause.ts'
import { OBSERVERS } from '../../../schemas/log/topics.ts'
import { type FadePorts, fadeJob } from './fade.ts'

/** What time alone changes shows within 5 s, in lists too (decisions 11.3). */
const EVERY_MS = 3_000

/**
 * Looks every three seconds for what is due to fade, until stopped; a turn that failed is followed by the next.
 * @param alone whether this is the only process that does; several begin at different moments
 */
export function watchFading(
  ports: FadePorts,
  { alone, logger, report }: { alone: boolean; logger: Logger; report: (news: { ticks: number }) => void },
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const startKey = () => randomBytes(8).readBigUInt64BE()
  const job = fadeJob(ports, { now: Date.now, pause, signal, startKey, group: OBSERVERS })

  const once = async (): Promise<void> => {
    const ticks = await job.turn()
    if (ticks === 0) return
    report({ ticks })
    logger.info({ ticks }, 're-evaluated the scores of faded entities')
  }

  const watch = async (): Promise<void> => {
    if (!alone) await pause(Math.random() * EVERY_MS, signal)
    while (!signal.aborted) {
      await once().catch(
        (err: unknown) =>
          signal.aborted || logger.warn({ err }, 'cannot find entities that are due for re-evaluation; retrying'),
      )
      await pause(EVERY_MS, signal)
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
