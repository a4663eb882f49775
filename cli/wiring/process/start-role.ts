import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { HEAP_OF_JOBS, MEMORY_OF_JOBS } from '../../../platform/heap.ts'
import { pauseAfter } from '../../../platform/retry.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
/** What a role logs of its ordinary work is for those who run it by itself. A level that the user sets wins. */
const LOG_LEVEL = 'warn'
const PAUSES_MS = [200, 500, 1000, 2000, 5000]
/** A run this long shows that the last end was not one of a series. */
const STEADY_MS = 60_000
/** With the stop of the engine after it within the 10 s of a graceful stop (decisions 9.3); a role that is killed loses nothing. */
const STOP_MS = 5_000

/** What a role sends to its parent once it works. */
export const RUNNING = 'running'

export type Role = {
  /** Resolves when the role has said that it runs; rejects while it is being started again. */
  running(): Promise<void>
  /** Finishes what runs, then ends the process; kills it when that takes too long. */
  stop(): Promise<void>
  readonly pid: number | undefined
}

/**
 * Runs a role of this program as a child process and starts it again, with growing pauses, whenever it ends: a role may
 * die at any moment and has nothing to lose by it (ADR 281).
 */
export function startRole(
  role: string,
  env: Record<string, string>,
  logger: Logger,
  onMessage: (message: unknown) => void,
): Role {
  const stopping = new AbortController()
  let child: ChildProcess
  let ended: Promise<unknown>
  let runs = Promise.withResolvers<void>()

  // `node --watch` has its children report the modules that they load, over the channel that roles report on.
  const { WATCH_REPORT_DEPENDENCIES: _, ...inherited } = process.env
  const run = (): void => {
    child = fork(MAIN, [role], {
      execArgv: HEAP_OF_JOBS,
      env: { HARRIER_LOG_LEVEL: LOG_LEVEL, ...MEMORY_OF_JOBS, ...inherited, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const started = Promise.withResolvers<void>()
    started.promise.catch(() => undefined)
    runs = started
    child.on('message', (message) => (message === RUNNING ? started.resolve() : onMessage(message)))
    child.once('exit', () => started.reject(new Error(`${role} is restarting`)))
    ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  }

  const supervise = async (): Promise<void> => {
    for (let failures = 0; ; ) {
      const from = performance.now()
      run()
      const reason = await ended
      if (stopping.signal.aborted) return
      failures = performance.now() - from > STEADY_MS ? 0 : failures + 1
      const pause = pauseAfter(failures, PAUSES_MS)
      logger.warn({ role, reason, pause }, 'a role process ended; restarting it')
      await sleep(pause, undefined, { signal: stopping.signal })
    }
  }
  // Only the pause rejects, when the role is stopped while it waits.
  supervise().catch(() => undefined)

  return {
    running: () => runs.promise,
    get pid() {
      return child.pid
    },
    async stop() {
      stopping.abort()
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(late)
    },
  }
}
