/** Runs the handlers of account events until stopped, however often the log or the database go away. */

import type { Consumer, EventLog } from '../../../connectors/log/port.ts'
import { pause } from '../../../platform/pause.ts'
import type { Handler } from './handlers/handler.ts'
import { type LifecyclePorts, lifecycleJob, retryOnce } from './lifecycle.ts'

export type LifecycleRunPorts = LifecyclePorts & { log: Pick<EventLog, 'send' | 'consume'> }

const IDLE_MS = 1_000
const MAX_PAUSE_MS = 30_000

const PRUNE_EVERY_MS = 60_000
const PRUNE_ROWS = 1_000
/** How long a repeated event is known as such; the log repeats what it did not commit, which is minutes old. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

export function startLifecycle(handlers: readonly Handler[], ports: LifecycleRunPorts): { stop: () => Promise<void> } {
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

  const retrying = async (): Promise<void> => {
    let prunedAt = 0
    for (let failures = 0; !signal.aborted; ) {
      let wait = IDLE_MS
      try {
        // At once again: behind what was tried may stand the next of its key.
        if ((await retryOnce(handlers, ports)) > 0) wait = 0
        if (ports.now() - prunedAt >= PRUNE_EVERY_MS) {
          prunedAt = ports.now()
          await ports.store.prune(prunedAt - KEEP_MS, PRUNE_ROWS)
        }
        failures = 0
      } catch (error) {
        ports.onFailure(error as Error, { handler: handlers[0]!.name })
        wait = Math.min(IDLE_MS * 2 ** ++failures, MAX_PAUSE_MS)
      }
      await pause(wait, signal)
    }
  }

  const running = Promise.all([...handlers.map(consuming), retrying()])
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
