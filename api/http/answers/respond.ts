/** The answer of a handler on the wire. */

import type { Context } from 'koa'
import { free } from '../../../platform/free.ts'
import { headIsOut } from '../middleware/observe-requests.ts'
import { type Answer, isMedia, type Route } from '../route.ts'
import { acceptSocket } from '../sockets/accept.ts'
import { FileBody, MediaBody, OwnBytes } from './raw-body.ts'
import { sendFile } from './send-file.ts'
import { SocketBody, StreamBody } from './stream-body.ts'
import type { Channel, Streams } from './streams.ts'

// A long answer as the body of an HTTP response.

/** What goes out through a connection together. */
type Corked = { cork(): void; uncork(): void }

/** How long a write waits for those that follow, in milliseconds. */
const GATHERED_MS = 20

/**
 * Writes to many connections in small pieces: what is written to one within a moment goes out by one call of the system.
 * A thousand streams that are told of each partition's news would otherwise need a call each time.
 * @returns what is called before each write
 */
export function gathered(ms = GATHERED_MS): (connection: Corked) => void {
  const waiting = new Set<Corked>()
  const sendAll = (): void => {
    const all = [...waiting]
    waiting.clear()
    for (const connection of all) connection.uncork()
  }
  return (connection) => {
    if (waiting.has(connection)) return
    if (waiting.size === 0) setTimeout(sendAll, ms)
    waiting.add(connection)
    connection.cork()
  }
}

/** A reader that takes nothing for so long while something waits for it is gone, in milliseconds. */
const IDLE_MS = 120_000

/**
 * Sends the head that was set, at once, and starts the body (ADR 271). The server cuts no stream for being silent; what
 * goes through proxies needs a heartbeat of its own. HEAD is answered with the head alone.
 */
export function sendStream(ctx: Context, { media, start }: StreamBody, streams: Streams, idleMs = IDLE_MS): void {
  const { req, res } = ctx
  ctx.respond = false
  if (res.destroyed || res.writableEnded) {
    streams.beginForNobody(start)
    return
  }
  res.setHeader('content-type', media)
  // Proxies that keep answers together for a while are told not to.
  res.setHeader('x-accel-buffering', 'no')
  if (req.method === 'HEAD') {
    res.end()
    streams.beginForNobody(start)
    return
  }
  res.flushHeaders()
  headIsOut(ctx)
  res.setTimeout(idleMs, () => {
    if (res.writableLength > 0) res.destroy()
  })
  res.on('close', streams.begin(start, channelOf(res)))
}

const gather = gathered()

const channelOf = (res: Context['res']): Channel => ({
  write(text, taken) {
    if (res.socket !== null) gather(res.socket)
    res.write(text, taken)
  },
  end: () => void res.end(),
  fail: () => void res.destroy(),
  destroy: () => void res.destroy(),
})

/**
 * Headers of every answer: clients must not guess another media type, and caches must not store it, because it depends
 * on the caller, also on public routes, and changes by the second. `vary` is for caches that store it nevertheless.
 */
export const ANSWER_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  vary: 'authorization, api-key, api-secret',
} as const

/** Of a page: what it may load and do. Data has no use for these, and they would double the size of a small answer. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; style-src 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/**
 * Answers a request: JSON at once, everything else by way of Koa (ADR 283). Throws what a file is refused with.
 * @param limits headers of the limit that was charged; those of the answer come before them
 */
export function respond(
  ctx: Context,
  route: Route,
  answer: Answer,
  streams: Streams,
  limits: Record<string, string> | null = null,
): Promise<void> | void {
  const { status, body } = answer
  const declared = route.responses[status]
  const headers = limits === null ? answer.headers : { ...limits, ...answer.headers }
  if (body instanceof SocketBody) return acceptSocket(ctx, body, streams)
  if (body instanceof StreamBody) {
    ctx.status = status
    ctx.set(ANSWER_HEADERS)
    if (headers !== undefined) ctx.set(headers)
    return sendStream(ctx, body, streams)
  }
  if (body instanceof FileBody) {
    ctx.set(ANSWER_HEADERS)
    if (headers !== undefined) ctx.set(headers)
    return sendFile(ctx, body)
  }
  if (declared !== null && declared !== undefined && !isMedia(declared)) return respondAtOnce(ctx, answer, headers)
  ctx.status = status
  ctx.set(ANSWER_HEADERS)
  // The declared type is that of most answers; what the answer says of itself counts, or a page could not use its parts.
  if (declared) ctx.type = declared.media
  if (headers !== undefined) ctx.set(headers)
  ctx.body = declared === null ? null : bytesOf(ctx, body)
  ctx.status = status
  if (ctx.type === 'text/html') ctx.set(PAGE_HEADERS)
}

/** Closed is an answer whose bytes the system has taken, or whose connection is no more. */
function bytesOf({ res }: Context, body: unknown): unknown {
  if (!(body instanceof OwnBytes)) return body
  const { bytes } = body
  res.once('close', () => free(bytes))
  return bytes
}

/** One write of head and body: on an acknowledgement, Koa's way of finding out what a body is costs more than the rest. */
function respondAtOnce(ctx: Context, { status, body }: Answer, headers: Record<string, string> | undefined): void {
  const { res } = ctx
  ctx.respond = false
  // The client is gone, or its time was up and the server has answered.
  if (res.destroyed || res.writableEnded) return
  const given = body instanceof MediaBody
  const text = given ? body.text : JSON.stringify(body)
  res.writeHead(status, {
    ...ANSWER_HEADERS,
    'Content-Type': given ? body.media : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  res.end(text)
}
