/** How much may wait for all clients of this process that do not read (decisions 12.2, ADR 271). */

import type { Stream } from './stream.ts'

const MIB = 1024 * 1024

/**
 * Bytes that were written to open streams and that their connections have not taken, of each stream by itself: what
 * several share is counted for each, and held once, so the memory is at most this.
 */
const MOST_OPEN = 128 * MIB
/** The same of streams that have ended, and whose clients have some seconds to take their last event. */
const MOST_ENDED = 128 * MIB

type Waiting = Pick<Stream, 'isOpen' | 'unread' | 'closed' | 'gone' | 'lag' | 'cut'>

export type Unread = {
  /** Counts a stream until its connection is over. */
  add(stream: Waiting): void
  /** After something was written: those with the most unread lag until the others are within the bound. */
  keepWithin(): void
}

/** Bounds what all streams of a process have unread, however little each of them has. */
export function unreadBound(mostOpen = MOST_OPEN, mostEnded = MOST_ENDED): Unread {
  const open = new Set<Waiting>()
  /** In the order of their ends. */
  const ended = new Set<Waiting>()

  return {
    add(stream) {
      open.add(stream)
      void stream.closed.then(() => {
        open.delete(stream)
        ended.add(stream)
      })
      void stream.gone.then(() => ended.delete(stream))
    },
    keepWithin() {
      const waiting = [...open].filter((stream) => stream.isOpen())
      for (const stream of beyond(mostFirst(waiting), mostOpen)) stream.lag()
      // They were told that they lag, and had the longest time to take it.
      for (const stream of beyond([...ended].map(measured), mostEnded)) stream.cut()
    },
  }
}

type Measured<T> = { stream: T; bytes: number }

const measured = <T extends Pick<Waiting, 'unread'>>(stream: T): Measured<T> => ({ stream, bytes: stream.unread() })

export const mostFirst = <T extends Pick<Waiting, 'unread'>>(streams: readonly T[]): Measured<T>[] =>
  streams.map(measured).sort((a, b) => b.bytes - a.bytes)

/** Of these, the first ones without which the others have `most` bytes unread at the most. */
export function beyond<T>(streams: readonly Measured<T>[], most: number): T[] {
  let total = streams.reduce((sum, { bytes }) => sum + bytes, 0)
  const chosen: T[] = []
  for (const { stream, bytes } of streams) {
    if (total <= most) break
    chosen.push(stream)
    total -= bytes
  }
  return chosen
}
