import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DemoLoader } from '../../connectors/operations/demo-loads/port.ts'
import { pause } from '../../platform/pause.ts'
import { type DemoLoad, isFree } from '../../schemas/operation/demo-load.ts'
import { claim, DEFAULTS, type DemoPorts, LoadTaken, runLoad, stateOf } from './load.ts'

/** How often a process looks whether a load was left by one that died. */
const LOOK_MS = 10_000

/**
 * Loads in the background of a process, one load at a time across all processes. A load whose process died is
 * continued by the first process that notices.
 */
export function demoInBackground(ports: DemoPorts, logger: Logger): DemoLoader & { stop(): Promise<void> } {
  const { loads, now } = ports
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> = Promise.resolve()

  /** Takes the load, if it can be had, and goes on with it in the background. */
  async function begin(): Promise<DemoLoad> {
    const by = randomUUID()
    const load = await claim(ports, by, { ...DEFAULTS, end: now() })
    if (load.holder?.by === by) running = runInBackground(load, by)
    return load
  }

  /** A failure is left to the log and to the next attempt. */
  async function runInBackground(load: DemoLoad, by: string): Promise<void> {
    const { corpus, line } = load
    logger.info({ ...corpus, line }, 'loading the demonstration corpus')
    try {
      const { interrupted } = await runLoad(ports, load, { by, signal, paused: false })
      if (!interrupted) logger.info({ entities: corpus.entities }, 'the demonstration corpus is completely in the log')
    } catch (err) {
      if (err instanceof LoadTaken) logger.warn(err.message)
      else logger.error({ err }, 'cannot load the demonstration corpus')
    }
  }

  async function look(): Promise<void> {
    const load = await loads.current()
    if (load !== null && !load.paused && isFree(load, now())) await begin()
  }

  async function watch(): Promise<void> {
    for (; !signal.aborted; await pause(LOOK_MS, signal))
      await look().catch((err) =>
        logger.warn({ err }, 'cannot check for an interrupted load of the demonstration corpus; retrying'),
      )
  }
  const watching = watch()

  return {
    state: async () => stateOf(ports, await loads.current()),
    start: async () => stateOf(ports, await begin()),
    async stop() {
      stopping.abort()
      await watching
      await running
    },
  }
}
