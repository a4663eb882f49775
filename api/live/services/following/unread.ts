/** How much may wait for all clients of this process that do not read (decisions-2 12.2, ADR 213). */

import type { Stream } from './stream.ts'

const MIB = 1024 * 1024

/**
 * Bytes that were written to open streams and that their connections have not taken, of each stream by itself: what
 * several share is counted for each, and held once, so the memory is at most this.
 */
const MOST_OPEN = 128 * MIB
/** The same of streams that have ended, and whose clients have some seconds to take their last event. */
const MOST_ENDED = 64 * MIB

type Waiting = Pick<Stream, 'isOpen' | 'unread' | 'gone' | 'lag' | 'cut'>

export type Unread = {
  /** Counts a stream until its connection is over. */
  add(stream: Waiting): void
  /** After something was written: those with the most unread lag until the others are within the bound. */
  keepWithin(): void
}

/** Bounds what all streams of a process have unread, however little each of them has. */
export function unreadBound(mostOpen = MOST_OPEN, mostEnded = MOST_ENDED): Unread {
  const streams = new Set<Waiting>()

  const those = (open: boolean): Waiting[] => [...streams].filter((stream) => stream.isOpen() === open)

  return {
    add(stream) {
      streams.add(stream)
      void stream.gone.then(() => streams.delete(stream))
    },
    keepWithin() {
      for (const stream of beyond(those(true), mostOpen)) stream.lag()
      // They were told that they lag; one that takes nothing gives its room to the others.
      for (const stream of beyond(those(false), mostEnded)) stream.cut()
    },
  }
}

/** The fewest without which the others have `most` bytes unread at the most: those that have the most. */
export function beyond<T extends Pick<Waiting, 'unread'>>(streams: readonly T[], most: number): T[] {
  const unread = streams.map((stream) => ({ stream, bytes: stream.unread() }))
  let total = unread.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= most) return []
  unread.sort((a, b) => b.bytes - a.bytes)
  const chosen: T[] = []
  for (const { stream, bytes } of unread) {
    if (total <= most) break
    chosen.push(stream)
    total -= bytes
  }
  return chosen
}
