import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'

/** A start that takes longer is in the log, and its addresses are printed all the same. */
const READY_MS = 30_000
const LOOK_MS = 100

/**
 * Waits until every part is ready, for a bounded time, or until the process is signalled to stop.
 * @returns the parts that are not ready; none when all are
 */
export async function untilReady(
  { missing }: Pick<Api, 'missing'>,
  stopped: Promise<unknown>,
  readyMs = READY_MS,
): Promise<string[]> {
  let ended = false
  void stopped.then(() => {
    ended = true
  })
  const until = performance.now() + readyMs
  for (;;) {
    const parts = await missing()
    if (parts.length === 0 || ended || performance.now() > until) return parts
    await Promise.race([sleep(LOOK_MS), stopped])
  }
}
