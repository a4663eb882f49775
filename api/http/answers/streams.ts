/** The long answers of a process: what they share over every transport, and their common end (ADR 271). */

import type { Logger } from 'pino'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Sink, Start } from './stream-body.ts'

/** What a transport does for a sink. Its calls do nothing once the connection is over. */
export type Channel = {
  /** Calls `taken` once the connection took the text, or never will. */
  write(text: string | Buffer, taken: () => void): void
  end(code: number): void
  /** Ends so that the client sees a fault. */
  fail(): void
  destroy(): void
}

export type Streams = {
  /** Starts a long answer. Returns what the transport calls when the connection is over. */
  begin(start: Start, channel: Channel): () => void
  /** A long answer that nobody reads: it starts and is over. */
  beginForNobody(start: Start): void
  /**
   * Ends all of them, and from then on each that begins. Resolves when they are over: a client that does not take the
   * end is cut off.
   */
  stop(): Promise<void>
}

/** Services end clients that do not read far earlier: this bounds a service that does not look. */
const MAX_BUFFERED = 8 * 1024 * 1024
/** Milliseconds in which a client takes the end of its stream when the process stops. */
const LAST_MS = 1_000

const DONE = 1000
const GOING_AWAY = 1001

const NOWHERE: Channel = {
  write: (_, taken) => taken(),
  end: () => undefined,
  fail: () => undefined,
  destroy: () => undefined,
}

type Ports = { logger: Logger; metrics: Pick<Metrics['instruments'], 'harrier_http_streams_open'> }

/** @param lastMs how long a stop waits for clients to take the end, in milliseconds */
export function openStreams({ logger, metrics }: Ports, lastMs = LAST_MS): Streams {
  const gauge = metrics.harrier_http_streams_open
  const open = new Set<Stream>()
  const { promise: allClosed, resolve: resolveClosed } = Promise.withResolvers<void>()
  let stopping = false

  const begin = (start: Start, channel: Channel): (() => void) => {
    const stream = streamOver(channel, lastMs)
    open.add(stream)
    gauge.inc()
    void run(start, stream, logger)
    if (stopping) stream.stop()
    return () => {
      if (!open.delete(stream)) return
      gauge.dec()
      stream.close()
      if (stopping && open.size === 0) resolveClosed()
    }
  }
  return {
    begin,
    beginForNobody: (start) => begin(start, NOWHERE)(),
    async stop() {
      if (!stopping) for (const stream of open) stream.stop()
      stopping = true
      if (open.size > 0) await allClosed
    },
  }
}

async function run(start: Start, stream: Stream, logger: Logger): Promise<void> {
  try {
    await start(stream.sink)
  } catch (error) {
    // What was under way for a client that is gone may fail as it likes.
    if (stream.sink.signal.aborted) logger.debug({ err: error }, 'a stream failed after its end')
    else logger.error({ err: error }, 'a stream failed')
    stream.fail()
  }
}

type Stream = {
  sink: Sink
  fail(): void
  /** The process ends: a last word, the end, and after a while the cut. */
  stop(): void
  /** The connection is over. */
  close(): void
}

function streamOver(channel: Channel, lastMs: number): Stream {
  const aborter = new AbortController()
  const { signal } = aborter
  const drained = new Set<() => void>()
  let buffered = 0
  let state: 'open' | 'ended' | 'over' = 'open'
  let cut: NodeJS.Timeout | undefined

  const take = (bytes: number): void => {
    buffered -= bytes
    if (buffered > 0 || state === 'over') return
    const calls = [...drained]
    drained.clear()
    for (const call of calls) call()
  }
  const end = (code: number): void => {
    if (state !== 'open') return
    state = 'ended'
    channel.end(code)
  }
  const destroy = (): void => {
    if (state === 'over') return
    state = 'ended'
    channel.destroy()
  }
  const sink: Sink = {
    write(text) {
      if (state !== 'open') return
      if (buffered > MAX_BUFFERED) return destroy()
      const bytes = Buffer.byteLength(text)
      buffered += bytes
      channel.write(text, () => take(bytes))
    },
    buffered: () => buffered,
    end: (code = DONE) => end(signal.reason === 'stopping' ? GOING_AWAY : code),
    destroy,
    signal,
    onDrain(call) {
      if (state === 'over') return
      drained.add(call)
      if (buffered === 0) queueMicrotask(() => take(0))
    },
  }
  return {
    sink,
    fail() {
      if (state !== 'open') return
      state = 'ended'
      channel.fail()
    },
    stop() {
      aborter.abort('stopping')
      // Those who wait for the signal in a promise get their turn first.
      setImmediate(() => {
        end(GOING_AWAY)
        if (state !== 'over') cut = setTimeout(destroy, lastMs)
      })
    },
    close() {
      state = 'over'
      clearTimeout(cut)
      drained.clear()
      aborter.abort('gone')
    },
  }
}
