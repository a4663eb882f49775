/** Answers that go on for as long as somebody reads them (ADR 271). */

/**
 * Where a long answer is written, over HTTP or over a WebSocket: a write is one piece of the body, or one text frame.
 * Nothing here throws or waits.
 */
export type Sink = {
  /** Queues UTF-8 text. After the end it does nothing; far beyond what a service lets wait, it ends the connection. */
  write(text: string | Buffer): void
  /** Bytes that were written and that the connection has not taken yet. */
  buffered(): number
  /**
   * Ends after what was written. A client that does not take it is cut off after a while.
   * @param code of a WebSocket, RFC 6455 7.4.1; HTTP has none
   */
  end(code?: number): void
  /** Ends the connection at once, without what is buffered. */
  destroy(): void
  /**
   * Aborts once. Reason `stopping`: the process ends; what is written in the listener is the last that goes out, and the
   * end follows by itself. Reason `gone`: the connection is over, whoever ended it.
   */
  signal: AbortSignal
  /** Calls back once, when nothing is buffered any more. Never when the connection is over before. */
  onDrain(call: () => void): void
}

/**
 * Writes a long answer. It is called exactly once for each body that a handler answers with, so what the handler took
 * can be given back when the signal aborts. When nobody is there (HEAD, a client that left), the signal aborts right
 * after the call. The answer ends with the sink, not with the call; what is thrown breaks the connection.
 */
export type Start = (sink: Sink) => Promise<void> | void

/** A body that is written over time: Server-Sent Events, NDJSON. */
export class StreamBody {
  readonly media: string
  readonly start: Start

  constructor(media: string, start: Start) {
    this.media = media
    this.start = start
  }
}

/** What a handshake is answered with: frames, from then on. */
export class SocketBody {
  readonly start: Start

  constructor(start: Start) {
    this.start = start
  }
}
