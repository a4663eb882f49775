import { Worker } from 'node:worker_threads'
import type { FoldReport, SliceTask } from '../../../pipelines/rebuild/fold.ts'
import { countExternalMemory } from '../../wiring/process/external-memory.ts'
import type { WorkerSetup } from './worker.ts'

const FILE = new URL('worker.ts', import.meta.url)
/** Memory of one thread: a million entities at once have about 1.3 GB. Records of a portion do not outlive a young generation. */
const LIMITS = { maxOldGenerationSizeMb: 4096, maxYoungGenerationSizeMb: 192 }

type WorkerMessage = { passed: number } | { done: FoldReport } | { failed: string }

const reasonOf = (error: NodeJS.ErrnoException): Error =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new Error('the entities of a slice need too much memory; use a smaller --entities')
    : error

/** Threads that fold slices; `fold` of each is called again once it has resolved. */
export function startWorkers(count: number, setup: WorkerSetup, passed: (records: number) => void) {
  countExternalMemory()
  const threads = Array.from({ length: count }, () => new Worker(FILE, { workerData: setup, resourceLimits: LIMITS }))

  const folding = (thread: Worker) => {
    let answer = Promise.withResolvers<FoldReport>()
    thread.on('message', (message: WorkerMessage) => {
      if ('passed' in message) passed(message.passed)
      else if ('done' in message) answer.resolve(message.done)
      else answer.reject(new Error(message.failed))
    })
    const ended = new Promise<never>((_, reject) => {
      thread.once('error', (error) => reject(reasonOf(error)))
      thread.once('exit', () => reject(new Error('a thread of the rebuild ended unexpectedly')))
    })
    ended.catch(() => undefined)
    return (task: SliceTask): Promise<FoldReport> => {
      answer = Promise.withResolvers<FoldReport>()
      thread.postMessage(task)
      return Promise.race([answer.promise, ended])
    }
  }

  return {
    folds: threads.map(folding),
    stop: async (): Promise<void> => void (await Promise.all(threads.map((thread) => thread.terminate()))),
  }
}
