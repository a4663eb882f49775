/** Whether the client of a socket is still there, and keeps to listening. */

import type { WebSocket } from 'ws'

/** In milliseconds: how often a client is asked whether it is there, and how long it may leave that open. */
export type Watch = { askMs: number; answerMs: number }

const WATCH: Watch = { askMs: 15_000, answerMs: 45_000 }

/** Frames of a client between two questions: an answer, and some that say they are alive without being asked. */
const MAX_FRAMES = 32
/** A client that does not keep to the rules (RFC 6455 7.4.1). */
const POLICY = 1008

/**
 * Pings the client. One that does not answer is cut off. What it sends is ignored; one that sends much is closed.
 * @returns what ends the watch
 */
export function watchClient(client: WebSocket, { askMs, answerMs }: Watch = WATCH): () => void {
  let unanswered = 0
  let frames = 0
  const asking = setInterval(() => {
    frames = 0
    if (unanswered * askMs >= answerMs) return client.terminate()
    unanswered++
    client.ping()
  }, askMs)
  const count = (): void => {
    frames++
    if (frames > MAX_FRAMES) client.close(POLICY)
  }
  client.on('message', count)
  client.on('ping', count)
  client.on('pong', () => {
    unanswered = 0
    count()
  })
  return () => clearInterval(asking)
}
