import type { Seals } from '../../../../schemas/cursors/seal.ts'
import type { Filter } from '../../../../schemas/live/filter.ts'
import { type StreamPlace, streamCursor } from '../../../../schemas/live/stream-cursor.ts'
import type { Sink } from '../../../http/answers/stream-body.ts'
import type { StreamForm, StreamNote } from './forms.ts'
import type { LiveReader } from './reader.ts'
import type { WrittenBatch } from './rendering.ts'

/** Bytes that wait for a client that does not read (decisions 12.2). */
const MAX_BUFFERED = 1024 * 1024
/** Whoever is behind is given more once it has read most of what it has. */
const LOW_BUFFERED = 256 * 1024
/** How long a client has to take its last event, in milliseconds. */
const LAST_MS = 10_000
/** How long one that is behind may read nothing. */
const UNREAD_MS = 60_000

export type StreamOf = {
  sink: Sink
  reader: LiveReader
  filter: Filter
  form: StreamForm
  /** What its cursors are bound to. */
  purpose: string
  places: readonly StreamPlace[]
  seals: Seals
  /** Unix milliseconds. */
  now: () => number
}

/** One open stream: where it is in each partition, and what it has written. */
export function stream({ sink, reader, filter, form, purpose, places: start, seals, now }: StreamOf) {
  let places = start
  /** Partitions in which it is handed what the hub looks at. */
  const along = new Set<number>()
  let lastCursor: (() => string) | null = null
  let isOpen = true
  const closed = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()

  function close(): void {
    isOpen = false
    closed.resolve()
  }
  function leave(): void {
    close()
    gone.resolve()
  }
  sink.signal.addEventListener('abort', leave, { once: true })
  if (sink.signal.aborted) leave()

  const cursor = (): string => streamCursor(seals, purpose, { places, at: now() })

  function put(messages: readonly (Buffer | string)[]): void {
    for (const message of messages) sink.write(message)
  }

  function lag(): void {
    if (!isOpen) return
    put(form.note('lagging', lastCursor ?? cursor))
    end()
  }

  function end(): void {
    close()
    sink.end()
    setTimeout(() => sink.destroy(), LAST_MS).unref()
  }

  const self = {
    filter,
    form,
    purpose,
    /** Whose view it tells now: its groups may change while it is open. */
    reader,
    isOpen: (): boolean => isOpen,
    /** Resolves when nothing more is written. */
    closed: closed.promise,
    /** Resolves when its connection is over, and with it what was not taken. */
    gone: gone.promise,
    /** Bytes that were written and that its connection has not taken. */
    unread: (): number => sink.buffered(),
    /** The client does not read: it is told where it is, as its last event, and is closed (decisions 12.2). */
    lag,
    /** Ends the connection without what was not taken. */
    cut: (): void => sink.destroy(),
    places: (): readonly StreamPlace[] => places,
    isAlong: (partition: number): boolean => isOpen && along.has(partition),
    goAlong: (partition: number): void => void along.add(partition),
    /** Whether it reads along everywhere, so that its places are those of the hub. */
    isLive: (): boolean => along.size === places.length,
    /** Nothing of these changes is told. */
    move(partition: number, place: StreamPlace): void {
      places = places.toSpliced(partition, 1, place)
    },
    write(partition: number, { messages, cursor: ofLast }: WrittenBatch, place: StreamPlace): void {
      if (!isOpen) return
      put(messages)
      lastCursor = ofLast
      self.move(partition, place)
      if (sink.buffered() > MAX_BUFFERED) lag()
    },
    note(name: StreamNote): void {
      if (!isOpen) return
      put(form.note(name, cursor))
      if (sink.buffered() > MAX_BUFFERED) lag()
    },
    /** Resolves when there is room for more, or it is closed: whoever reads nothing for a minute lags. */
    async room(): Promise<void> {
      while (isOpen && sink.buffered() > LOW_BUFFERED) {
        const late = setTimeout(lag, UNREAD_MS)
        await Promise.race([new Promise<void>((resolve) => sink.onDrain(resolve)), closed.promise])
        clearTimeout(late)
      }
    },
    /** Ends it after what was written: its rights ended, or nothing can be told for now. Its client may come back. */
    cutOff(): void {
      if (isOpen) end()
    },
  }
  return self
}

export type Stream = ReturnType<typeof stream>
