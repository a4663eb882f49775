import { Worker } from 'node:worker_threads'
import type { Given, Task, Told } from './worker.ts'
import type { ListFacts, ListFile, WrittenList } from './write-list.ts'

const FILE = new URL('worker.ts', import.meta.url)
/** Pieces of some 64 KB that are on their way to the thread, at most. */
const AHEAD = 16
/** Of the heap, in MB; what formats hold of a list is outside of it. */
const LIMITS = { maxOldGenerationSizeMb: 1_024 }

/**
 * As `writeList`, in a thread that is started for this list: its process stays free for others, and the memory goes with
 * the thread.
 * @throws what the reading throws; Error with the reason of the thread
 */
export async function writeInThread(
  list: ListFacts,
  rows: AsyncIterable<Uint8Array>,
  files: readonly ListFile[],
): Promise<WrittenList[]> {
  const named = files.map(({ format, path }) => ({ format: format.name, path }))
  const workerData: Task = { list, files: named }
  const thread = new Worker(FILE, { workerData, resourceLimits: LIMITS })
  const give = (given: Given): void => thread.postMessage(given)
  const { promise: over, resolve, reject } = Promise.withResolvers<WrittenList[]>()
  let onItsWay = 0
  let isOver = false
  let wake = (): void => undefined
  const end = (settle: () => void): void => {
    isOver = true
    settle()
    wake()
  }
  thread.on('message', (told: Told) => {
    if ('written' in told) return end(() => resolve(told.written))
    if ('failed' in told) return end(() => reject(new Error(told.failed)))
    onItsWay--
    wake()
  })
  thread.once('error', (error) => end(() => reject(error)))
  thread.once('exit', () => end(() => reject(new Error('the thread that wrote a list ended before its end'))))

  const hand = async (): Promise<WrittenList[]> => {
    for await (const piece of rows) {
      give(piece)
      onItsWay++
      while (onItsWay >= AHEAD && !isOver) await new Promise<void>((taken) => (wake = taken))
      if (isOver) return over
    }
    give(null)
    return over
  }
  try {
    return await Promise.race([hand(), over])
  } finally {
    over.catch(() => undefined)
    await thread.terminate()
  }
}
