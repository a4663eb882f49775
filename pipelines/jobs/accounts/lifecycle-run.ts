/** Runs the handlers of account events until stopped, however often the log or the database become unavailable. */

import type { Consumer, EventLog } from '../../../connectors/log/port.ts'
import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'
import { pause } from '../../../platform/pause.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { idleWait } from '../../runtime/leases/idle-wait.ts'
import type { Handler } from './handlers/handler.ts'
import { type LifecyclePorts, lifecycleJob, retryOnce } from './lifecycle-job.ts'

export type LifecycleRunPorts = LifecyclePorts & {
  log: Pick<EventLog, 'send' | 'consume'>
  /** Which commits made an event wait; default: what is due again is looked for every second. */
  work?: WorkSignals
}

const IDLE_MS = 1_000
const MAX_PAUSE_MS = 30_000

const PRUNE_EVERY_MS = 60_000
const PRUNE_ROWS = 1_000
/** How long a repeated event is known as such; the log repeats what it did not commit, which is minutes old. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

export function startLifecycle(handlers: readonly Handler[], ports: LifecycleRunPorts): { stop: () => Promise<void> } {
  const { store, now, work = unheard } = ports
  const stopping = new AbortController()
  const { signal } = stopping

  const consuming = async (handler: Handler): Promise<void> => {
    const job = lifecycleJob(handler, ports)
    for (let failures = 0; !signal.aborted; ) {
      let consumer: Consumer | undefined
      try {
        consumer = await ports.log.consume(job, async (batch) => {
          await job.eachBatch(batch)
          failures = 0
        })
        await Promise.race([consumer.closed, aborted(signal)])
      } catch (error) {
        ports.onFailure(error as Error, { handler: handler.name })
      }
      await consumer?.stop().catch(() => undefined)
      if (!signal.aborted) await pause(Math.min(IDLE_MS * 2 ** failures++, MAX_PAUSE_MS), signal)
    }
  }

  let prunedAt = 0
  const retrying = startRounds({
    async round() {
      // At once again: behind what was tried may stand the next of its key.
      const tried = await retryOnce(handlers, ports)
      if (now() - prunedAt >= PRUNE_EVERY_MS) {
        prunedAt = now()
        await store.prune(prunedAt - KEEP_MS, PRUNE_ROWS)
      }
      return tried > 0 ? 0 : idleWait({ work, idleMs: IDLE_MS, now, nextAt: store.nextAt })
    },
    onFailure: (error) => ports.onFailure(error, { handler: handlers[0]!.name }),
    failedMs: IDLE_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  const unwatch = work.on('lifecycle', retrying.wake)

  const running = Promise.all(handlers.map(consuming))
  return {
    async stop() {
      stopping.abort()
      unwatch()
      await Promise.all([running, retrying.stop()])
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
