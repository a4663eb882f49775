/** The forms of a stream: what is written for an event, and for what the stream says of itself (decisions 12). */

import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { socketFrames } from '../../../../schemas/live/socket-frames.ts'

export type StreamNote = 'heartbeat' | 'caught-up' | 'lagging'

/** An event, and its text as JSON. */
export type RenderedEvent = { event: ChangeEvent; json: string }

export type StreamForm = {
  readonly name: string
  /** At the beginning. */
  readonly preamble: string
  /** Whether the messages are texts of their own, not parts of one long text. */
  readonly framed: boolean
  /** Messages of an event. `cursor`: of the place after it. */
  event(rendered: RenderedEvent, cursor: () => string): string[]
  note(name: StreamNote, cursor: () => string): string[]
}

/** How soon a client comes back after it was cut off, in milliseconds. */
const RETRY_MS = 2_000

export const EVENT_STREAM: StreamForm = {
  name: 'text/event-stream',
  preamble: `retry: ${RETRY_MS}\n\n`,
  framed: false,
  event: ({ json }, cursor) => [`id: ${cursor()}\nevent: change\ndata: ${json}\n\n`],
  note: (name, cursor) => [`id: ${cursor()}\nevent: ${name}\ndata: {}\n\n`],
}

export const LINES: StreamForm = {
  name: 'application/x-ndjson',
  preamble: '',
  framed: false,
  event: ({ json }, cursor) => [`{"event":"change","cursor":"${cursor()}","data":${json}}\n`],
  note: (name, cursor) => [`{"event":"${name}","cursor":"${cursor()}","data":{}}\n`],
}

export const FRAMES: StreamForm = {
  name: 'websocket',
  preamble: '',
  framed: true,
  event: ({ event }) => socketFrames(event).map((frame) => JSON.stringify(frame)),
  note: () => [],
}
