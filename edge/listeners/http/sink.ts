import type { ServerResponse } from 'node:http'
import type { Sink } from '../../../api/http/answers/stream-body.ts'

/** A client that reads nothing for so long is left, in milliseconds. */
const UNREAD_MS = 60_000

/** A response as the end of a long answer. */
export function sinkOf(res: ServerResponse): Sink {
  const over = new AbortController()
  res.once('close', () => over.abort('gone'))
  res.on('error', () => undefined)
  res.setTimeout(UNREAD_MS, () => res.destroy())
  return {
    write: (text) => void (over.signal.aborted || res.writableEnded || res.write(text)),
    buffered: () => res.writableLength,
    end: () => void (over.signal.aborted || res.end()),
    destroy: () => void res.destroy(),
    signal: over.signal,
    onDrain: (call) => void res.once('drain', call),
  }
}
