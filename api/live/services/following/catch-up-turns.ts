import type { Stream } from './stream.ts'

/** How long a turn lasts at least, in milliseconds, before another stream that waits is let in. */
const TURN_MS = 2_000

export type Turn = {
  /** Resolves when the turn is over: it has lasted long enough, and another stream waits. */
  over: Promise<void>
  isOver(): boolean
}

/** Runs the work of a stream when it is its turn, unless the stream was closed before. */
export type CatchUpTurns = (
  stream: Pick<Stream, 'isOpen' | 'closed'>,
  work: (turn: Turn) => Promise<void>,
) => Promise<void>

type Running = { isLong: boolean; end: () => void }

/**
 * So many streams read what they have missed at once; the others wait, first come, first served. After a restart
 * all clients come back together, and each reading holds some megabytes. A turn ends for those who wait, so that clients
 * that read slowly hold up nobody else.
 */
export function catchUpTurns(atOnce: number, turnMs = TURN_MS): CatchUpTurns {
  /** The oldest first. */
  const running = new Set<Running>()
  const waiting: (() => void)[] = []

  function begin(): { turn: Turn; done: () => void } {
    const over = Promise.withResolvers<void>()
    let ended = false
    const own: Running = {
      isLong: false,
      end() {
        ended = true
        over.resolve()
      },
    }
    running.add(own)
    const timer = setTimeout(() => {
      own.isLong = true
      if (waiting.length > 0) own.end()
    }, turnMs)
    const done = (): void => {
      clearTimeout(timer)
      running.delete(own)
      waiting.shift()?.()
    }
    return { turn: { over: over.promise, isOver: () => ended }, done }
  }

  return async (stream, work) => {
    // Who is let in takes the place in the same moment, so nobody slips in between.
    const { turn, done } =
      running.size < atOnce
        ? begin()
        : await new Promise<ReturnType<typeof begin>>((resolve) => {
            waiting.push(() => resolve(begin()))
            ;[...running].find(({ isLong }) => isLong)?.end()
          })
    try {
      if (stream.isOpen()) await work(turn)
    } finally {
      done()
    }
  }
}
