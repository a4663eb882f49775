import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'

const FILE = new URL('thread.ts', import.meta.url)
/** A loop that has not turned for so long does not turn any more, milliseconds. */
const BOUND_MS = 30_000
/** Looks that have to find nothing, one after the other: between two of them the machine may have been away. */
export const LOOKS = 6
/** The thread has no work but its looks. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 }

/** What both threads know: how often the loop has told, and whether a debugger may hold it. */
export const CELLS = { ticks: 0, isDebugged: 1 } as const

export type Watched = { role: string; lookMs: number; cells: Int32Array<SharedArrayBuffer> }

/**
 * From now on a thread of its own looks whether the event loop of this process turns, every five seconds, and ends the
 * process by SIGKILL where it has not for 30 s, with a message and what it does on stderr: whoever runs the process starts
 * it again, and until then nothing in it could answer, log, or stop in good order (ADR 253). A debugger, a stopped process
 * and a machine that slept are no reason.
 * @returns ends the watch
 */
export function watchLoop(role: string, boundMs = BOUND_MS): () => Promise<void> {
  const lookMs = boundMs / LOOKS
  const cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const tell = (): void => {
    Atomics.store(cells, CELLS.isDebugged, inspector.url() === undefined ? 0 : 1)
    Atomics.add(cells, CELLS.ticks, 1)
  }
  tell()
  const timer = setInterval(tell, lookMs).unref()
  const workerData = { role, lookMs, cells } satisfies Watched
  const thread = new Worker(FILE, { workerData, resourceLimits: LIMITS, execArgv: [] })
  // A watch that fails is missed by nobody but the next fault.
  thread.on('error', () => clearInterval(timer))
  thread.unref()
  return async () => {
    clearInterval(timer)
    await thread.terminate()
  }
}
