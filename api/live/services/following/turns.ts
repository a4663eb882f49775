import type { Stream } from './stream.ts'

/** Runs the work of a stream when it is its turn, unless the stream was closed before. */
export type CatchUpTurns = (stream: Pick<Stream, 'isOpen' | 'closed'>, work: () => Promise<void>) => Promise<void>

/**
 * So many streams read what they have missed at once; the others wait, first come, first served. After a restart
 * all clients come back together, and each reading holds some megabytes.
 */
export function catchUpTurns(atOnce: number): CatchUpTurns {
  let running = 0
  const waiting: (() => void)[] = []
  return async (stream, work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      if (stream.isOpen()) await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
