/**
 * A process that exits within a transaction of LMDB would never end: Node waits for the thread of the transaction, which
 * waits for the event loop, and the lock of the writer keeps every other process out. So it ends as a killed one does:
 * the system frees the lock, and nothing of the transaction is visible.
 */

import { isMainThread } from 'node:worker_threads'

let running = 0

/** Runs `work`; if the process exits before that has ended, it ends at once, by SIGKILL and without other exit handlers. */
export async function endWithin<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) process.on('exit', endAtOnce)
  try {
    return await work()
  } finally {
    if (--running === 0) process.off('exit', endAtOnce)
  }
}

function endAtOnce(): void {
  if (isMainThread) process.kill(process.pid, 'SIGKILL')
}
