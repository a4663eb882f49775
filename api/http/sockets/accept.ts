/** A long answer as the frames of a WebSocket. */

import type { Context } from 'koa'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SocketBody } from '../answers/stream-body.ts'
import type { Channel, Streams } from '../answers/streams.ts'
import { headIsOut } from '../middleware/observe-requests.ts'
import { takeHandshake } from './handshake.ts'

/** In milliseconds: how often a client is asked whether it is there, and how long it may leave that open. */
type Watch = { askMs: number; answerMs: number }

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

/** Clients have nothing to say. */
const MAX_PAYLOAD = 1024
/** A message in more pieces than this is no message. */
const MAX_FRAGMENTS = 16

/** A fault of ours (RFC 6455 7.4.1). */
const FAULT = 1011

const sockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_PAYLOAD,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: 1_024,
})

/** Accepts the handshake of a request that `checkHandshake` has passed, and starts its frames (ADR 271). */
export function acceptSocket(ctx: Context, { start }: SocketBody, streams: Streams): void {
  const { req, res } = ctx
  ctx.respond = false
  const { socket, head } = takeHandshake(req, res)
  res.statusCode = 101
  headIsOut(ctx)
  // No protocol is spoken above WebSocket: none is chosen, and a list that cannot be read is no fault.
  delete req.headers['sec-websocket-protocol']
  let accepted = false
  sockets.handleUpgrade(req, socket, head, (client) => {
    accepted = true
    const closed = streams.begin(start, channelOf(client))
    const stopWatching = watchClient(client)
    client.on('close', () => {
      stopWatching()
      closed()
    })
  })
  // The client has left meanwhile.
  if (!accepted) streams.beginForNobody(start)
}

function channelOf(client: WebSocket): Channel {
  // What a client does against the protocol closes its socket; there is nobody to tell.
  client.on('error', () => undefined)
  return {
    write: (text, taken) => client.send(text, { binary: false }, taken),
    end: (code) => client.close(code),
    fail: () => client.close(FAULT),
    destroy: () => client.terminate(),
  }
}
