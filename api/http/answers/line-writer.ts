/** Lines of a long answer to a client that may read later than it sends (decisions 15.1; ADR 273). */

import type { Sink } from './stream-body.ts'

/**
 * Bytes of answers that wait for one client, and for all of a process. Many clients read nothing before they have sent
 * everything: the answers to a whole body of reports have room.
 */
const HELD = 24 * 1024 * 1024
const HELD_BY_ALL = 96 * 1024 * 1024
/** What one client has in any case. */
const OWN = 1024 * 1024
/** Bytes that the connection is given at a time. */
const GIVEN = 256 * 1024

export type LineWriter = {
  /** Queues whole lines. After the end of the connection it does nothing. */
  write(text: string): void
  /** Whether there is room for more answers. */
  hasRoom(): boolean
  /** Begins to send; what was written before waits until then. */
  open(sink: Sink): void
  /** Resolves when there is room for more answers, or the connection is over. */
  room(): Promise<void>
  /** Resolves when somebody waits for room that there is not, or the connection is over. */
  full(): Promise<void>
  /** Resolves when all was given to the connection, or it is over. */
  flushed(): Promise<void>
  /** Throws away what waits. */
  close(): void
}

/** Makes the writers of a process, which share their room. */
export function lineWriters(bounds = { held: HELD, heldByAll: HELD_BY_ALL, own: OWN }): () => LineWriter {
  let heldByAll = 0
  return () => {
    const queue: Buffer[] = []
    let held = 0
    let sink: Sink | null = null
    let closed = false
    const waiting = new Set<() => void>()

    const hold = (bytes: number): void => {
      held += bytes
      heldByAll += bytes
    }
    const hasRoom = (): boolean => closed || held < bounds.own || (held < bounds.held && heldByAll < bounds.heldByAll)
    const changed = (): void => {
      for (const look of [...waiting]) look()
    }
    const pump = (): void => {
      if (sink === null || closed) return
      while (queue.length > 0 && sink.buffered() < GIVEN) {
        const bytes = queue.shift()!
        hold(-bytes.length)
        sink.write(bytes)
      }
      if (queue.length > 0) sink.onDrain(pump)
      changed()
    }
    const until = (met: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!met()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
    const close = (): void => {
      closed = true
      hold(-held)
      queue.length = 0
      changed()
    }
    return {
      write(text) {
        if (closed || text === '') return
        const bytes = Buffer.from(text)
        queue.push(bytes)
        hold(bytes.length)
        pump()
      },
      hasRoom,
      open(to) {
        sink = to
        if (to.signal.aborted) close()
        else to.signal.addEventListener('abort', close, { once: true })
        pump()
      },
      room() {
        // Others may have taken the room.
        if (!hasRoom()) changed()
        return until(hasRoom)
      },
      full: () => until(() => closed || !hasRoom()),
      flushed: () => until(() => closed || queue.length === 0),
      close,
    }
  }
}
