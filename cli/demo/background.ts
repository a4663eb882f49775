import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DemoLoader } from '../../connectors/demo/port.ts'
import { passed } from '../../pipelines/runtime/passed.ts'
import { isFree } from '../../schemas/demo-load.ts'
import { claim, DEFAULTS, type DemoPorts, isEmpty, LoadTaken, runLoad, stateOf } from './load.ts'

/** How often a process looks whether a load was left by one that died. */
const LOOK_MS = 10_000

/**
 * Loads in the background of a process, one load at a time whatever the number of processes. What a process that died
 * has begun is gone on with, by the first that notices.
 */
export function demoInBackground(ports: DemoPorts, logger: Logger): DemoLoader & { stop(): Promise<void> } {
  const { loads, now } = ports
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null

  async function load(): Promise<void> {
    const by = randomUUID()
    const ours = await claim(ports, by, { ...DEFAULTS, end: now() })
    if (ours.holder?.by !== by) return
    const { corpus, line } = ours
    logger.info({ ...corpus, line }, 'the demonstration corpus is being loaded')
    const { interrupted } = await runLoad(ports, ours, { by, signal, paused: false })
    if (!interrupted) logger.info({ entities: corpus.entities }, 'the demonstration corpus is in the log')
  }

  /** Resolves once the claim has been decided, or the load has ended; a failure is for the log, and for the next look. */
  function begin(): void {
    running ??= load()
      .catch((err) => {
        if (err instanceof LoadTaken) logger.warn(err.message)
        else logger.error({ err }, 'the demonstration corpus is not loaded')
      })
      .finally(() => {
        running = null
      })
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const left = await loads.current().catch(() => null)
      if (left !== null && !left.paused && isFree(left, now())) begin()
      await passed(LOOK_MS, signal)
    }
  }
  const watching = watch()

  return {
    state: async () => stateOf(ports, await loads.current()),
    async start() {
      const before = await loads.current()
      if (before === null && !(await isEmpty(ports))) return 'not empty'
      if (before !== null && !isFree(before, now())) return stateOf(ports, before)
      begin()
      const {
        entities,
        line: loaded,
        total,
      } = before === null ? { ...DEFAULTS, line: 0, total: 0 } : { ...before.corpus, ...before }
      return { state: 'loading', entities, loaded, total }
    },
    async stop() {
      stopping.abort()
      await watching
      await running
    },
  }
}
