/** A body of lines that is read as it comes (decisions 15.1; ADR 221). */

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { isEmpty, MAX_BODY_BYTES, refuseCompressed } from './body.ts'
import { lineSplitter } from './line-splitter.ts'
import { NDJSON, NDJSON_TYPE } from './lines-body.ts'
import { ownTime } from './own-time.ts'

export type LineStreamBounds = {
  maxBytes: number
  /** How long a line may be waited for, and how long the body may take; milliseconds. */
  idleMs: number
  totalMs: number
}

/**
 * `lines`: whole ones, the last with or without its end. `end`: there are no more. `too_large`: the body goes on past its
 * bound. `late`: it took too long. `cut`: the client is gone before its end.
 */
export type NextLines = { kind: 'lines'; bytes: Buffer } | { kind: 'end' | 'too_large' | 'late' | 'cut' | 'waiting' }

export type LineStream = {
  /**
   * Resolves to whole lines of about `most` bytes as soon as there is one, oldest first. What comes while nobody asks is
   * kept up to a bound, then the client waits.
   * @param waitMs after so long without any: `waiting`
   */
  next(most: number, waitMs?: number): Promise<NextLines>
  /** Nobody reads on: what still comes is thrown away, and a client that does not stop is cut off. */
  leave(): void
}

/** Longest line, in bytes: the largest body of one report. */
export const MAX_LINE_BYTES = MAX_BODY_BYTES
/** Bytes of whole lines that wait before the client does. */
const HELD = 1024 * 1024
/** How long a client may go on sending after the answer has ended, in milliseconds. */
const LEFT_MS = 30_000

/** Throws 400 without a body, 413 when its declared length is over the bound, 415 for another content type or coding. */
export function checkLineStream(request: IncomingMessage, { maxBytes }: LineStreamBounds): void {
  refuseCompressed(request)
  if (isEmpty(request)) throw new ApiError('malformed_json', { message: 'a body of JSON lines is required' })
  if (!NDJSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw new ApiError('unsupported_media_type', { message: `content-type must be ${NDJSON}` })
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new ApiError('body_too_large')
}

/** Reads the body of a request that was checked. Nothing is read before the first `next`. */
export function lineStream(request: IncomingMessage, { maxBytes, idleMs, totalMs }: LineStreamBounds): LineStream {
  const splitter = lineSplitter(MAX_LINE_BYTES)
  const until = performance.now() + totalMs
  let state: 'unread' | 'open' | 'left' | 'end' | 'too_large' | 'late' | 'cut' = 'unread'
  let received = 0
  let wake: () => void = () => undefined

  const finish = (as: typeof state): void => {
    if (state !== 'open' && state !== 'unread') return
    state = as
    if (as === 'end') splitter.finish()
    wake()
  }
  const take = (piece: Buffer): void => {
    if (state !== 'open') return
    const room = maxBytes - received
    received += piece.length
    splitter.push(piece.length > room ? piece.subarray(0, room) : piece)
    if (received > maxBytes) finish('too_large')
    else if (splitter.whole() >= HELD) request.pause()
    if (splitter.whole() > 0) wake()
  }
  const begin = (): void => {
    state = 'open'
    ownTime.add(request.socket)
    request.on('data', take)
    request.on('end', () => finish('end'))
    request.on('error', () => finish('cut'))
    request.on('close', () => {
      // The next request of the connection has no reader that bounds it.
      ownTime.delete(request.socket)
      finish(request.complete ? 'end' : 'cut')
    })
    if (request.destroyed) finish(request.complete ? 'end' : 'cut')
  }
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    async next(most, waitMs = Number.POSITIVE_INFINITY) {
      if (state === 'unread') begin()
      const idleUntil = Math.min(until, performance.now() + idleMs)
      const waitUntil = performance.now() + waitMs
      for (;;) {
        if (splitter.whole() > 0 && state !== 'left') {
          const bytes = splitter.take(most)
          if (state === 'open' && splitter.whole() < HELD) request.resume()
          return { kind: 'lines', bytes }
        }
        if (state !== 'open') return { kind: state === 'unread' || state === 'left' ? 'cut' : state }
        const now = performance.now()
        if (now >= idleUntil) finish('late')
        else if (now >= waitUntil) return { kind: 'waiting' }
        else await wait(Math.max(1, Math.ceil(Math.min(idleUntil, waitUntil) - now)))
      }
    },
    leave() {
      if (state === 'left') return
      if (state === 'unread') begin()
      state = 'left'
      wake()
      if (request.complete || request.destroyed) return
      request.resume()
      const cut = setTimeout(() => request.complete || request.socket.destroy(), LEFT_MS)
      request.once('close', () => clearTimeout(cut))
    },
  }
}
