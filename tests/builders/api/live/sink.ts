/** A client in memory that reads, or does not. */

import type { Sink } from '../../../../api/http/answers/stream-body.ts'

export type MemorySink = Sink & {
  /** Everything that was written, in order. */
  text(): string
  /** The client takes nothing from now on, or everything again. */
  read(reads: boolean): void
  /** How it ended; null: it is open. */
  ended(): 'ended' | 'destroyed' | 'left' | null
  /** The client goes away. */
  leave(): void
}

export function memorySink(): MemorySink {
  const written: string[] = []
  const leaving = new AbortController()
  const waiting = new Set<() => void>()
  let buffered = 0
  let reads = true
  let ended: 'ended' | 'destroyed' | 'left' | null = null

  function drain(): void {
    buffered = 0
    for (const call of [...waiting]) {
      waiting.delete(call)
      call()
    }
  }

  function end(how: 'ended' | 'destroyed' | 'left'): void {
    if (ended !== null) return
    ended = how
    leaving.abort('gone')
  }

  return {
    write(text) {
      if (ended !== null) return
      written.push(text.toString())
      buffered += Buffer.byteLength(text)
      if (reads) drain()
    },
    buffered: () => buffered,
    end: () => end('ended'),
    destroy: () => end('destroyed'),
    signal: leaving.signal,
    onDrain(call) {
      waiting.add(call)
      if (buffered === 0) queueMicrotask(drain)
    },
    text: () => written.join(''),
    read(now) {
      reads = now
      if (reads) drain()
    },
    ended: () => ended,
    leave: () => end('left'),
  }
}

export type ReadLine = { event: string; cursor: string; data: { id: string; kinds: string[]; [name: string]: unknown } }

/** The lines of a stream in NDJSON. */
export const linesOf = (sink: MemorySink): ReadLine[] =>
  sink
    .text()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReadLine)

export const changesOf = (sink: MemorySink): ReadLine[] => linesOf(sink).filter(({ event }) => event === 'change')
