/** The answer of a handler on the wire. */

import type { Context } from 'koa'
import { free } from '../../../platform/free.ts'
import { type Answer, isMedia, type Route } from '../route.ts'
import { acceptSocket } from '../sockets/accept.ts'
import { FileBody, MediaBody, OwnBytes } from './raw-body.ts'
import { sendFile } from './send-file.ts'
import { sendStream } from './send-stream.ts'
import { SocketBody, StreamBody } from './stream-body.ts'
import type { Streams } from './streams.ts'

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

/** Answers a request: JSON at once, everything else by way of Koa (ADR 45). Throws what a file is refused with. */
export async function respond(ctx: Context, route: Route, answer: Answer, streams: Streams): Promise<void> {
  const declared = route.responses[answer.status]
  if (answer.body instanceof SocketBody) return acceptSocket(ctx, answer.body, streams)
  if (answer.body instanceof StreamBody) {
    ctx.status = answer.status
    ctx.set(ANSWER_HEADERS)
    if (answer.headers !== undefined) ctx.set(answer.headers)
    return sendStream(ctx, answer.body, streams)
  }
  if (answer.body instanceof FileBody) {
    ctx.set(ANSWER_HEADERS)
    if (answer.headers !== undefined) ctx.set(answer.headers)
    return sendFile(ctx, answer.body)
  }
  if (declared === null || declared === undefined || isMedia(declared)) {
    ctx.status = answer.status
    ctx.set(ANSWER_HEADERS)
    // The declared type is that of most answers; what the answer says of itself counts, or a page could not use its parts.
    if (declared) ctx.type = declared.media
    if (answer.headers !== undefined) ctx.set(answer.headers)
    ctx.body = declared === null ? null : bytesOf(ctx, answer.body)
    ctx.status = answer.status
    if (ctx.type === 'text/html') ctx.set(PAGE_HEADERS)
  } else respondAtOnce(ctx, answer)
}

/** Closed is an answer whose bytes the system has taken, or whose connection is no more. */
function bytesOf({ res }: Context, body: unknown): unknown {
  if (!(body instanceof OwnBytes)) return body
  const { bytes } = body
  res.once('close', () => free(bytes))
  return bytes
}

/** One write of head and body: on an acknowledgement, Koa's way of finding out what a body is costs more than the rest. */
function respondAtOnce(ctx: Context, { status, headers, body }: Answer): void {
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
