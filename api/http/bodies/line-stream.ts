/** A body of lines that is read as it comes (decisions 15.1; ADR 273). */

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { isEmpty, MAX_BODY_BYTES, refuseCompressed } from './body.ts'
import { NDJSON, NDJSON_TYPE } from './lines-body.ts'
import { ownTime } from './own-time.ts'

// Whole lines out of the pieces in which a body comes, wherever they are cut.

const LINE_END = 0x0a
/** A piece of at most so many bytes is looked at at once: no line inside of it is too long. */
const PIECE = 64 * 1024
/** A client may send a byte a piece, and what holds a piece takes more memory than that byte: so many are made one. */
const MANY = 1_024

type LineSplitter = {
  push(piece: Buffer): void
  /** The body is whole: what follows the last line end is a line too. */
  finish(): void
  /** Bytes of whole lines that wait. */
  whole(): number
  /** Bytes of the line that has no end yet, as far as they are kept. */
  open(): number
  /**
   * Takes whole lines of at most `most` bytes together with their ends; one at least, however long it is. Empty: none
   * waits.
   */
  take(most: number): Buffer
}

/**
 * Of a line of more than `maxLine` bytes, `maxLine + 1` are kept and the rest is left out, so that whoever reads it sees that
 * it is too long, and memory is bounded.
 */
export function lineSplitter(maxLine: number): LineSplitter {
  let pieces: Buffer[] = []
  let size = 0
  /** Of `size`, up to and with the last line end. */
  let whole = 0
  let skipping = false
  if (maxLine < PIECE) throw new RangeError(`lines of ${maxLine} bytes are shorter than a piece`)

  const keep = (bytes: Buffer): void => {
    if (bytes.length === 0) return
    pieces.push(bytes)
    size += bytes.length
    if (pieces.length > MANY) pieces = [Buffer.concat(pieces, size)]
  }

  function push(piece: Buffer): void {
    let rest = piece
    if (skipping) {
      const end = rest.indexOf(LINE_END)
      if (end < 0) return
      skipping = false
      rest = rest.subarray(end)
    } else {
      const end = rest.indexOf(LINE_END)
      const open = size - whole + (end < 0 ? rest.length : end)
      if (open > maxLine) {
        keep(rest.subarray(0, maxLine + 1 - (size - whole)))
        skipping = end < 0
        if (skipping) return
        rest = rest.subarray(end)
      }
    }
    const last = rest.lastIndexOf(LINE_END)
    const before = size
    keep(rest)
    if (last >= 0) whole = before + last + 1
  }

  return {
    push(piece) {
      for (let at = 0; at < piece.length; at += PIECE) push(piece.subarray(at, at + PIECE))
    },
    finish() {
      whole = size
    },
    whole: () => whole,
    open: () => size - whole,
    take(most) {
      if (whole === 0) return Buffer.alloc(0)
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
      let end = whole
      if (end > most) {
        end = all.lastIndexOf(LINE_END, most - 1) + 1
        if (end === 0) end = all.indexOf(LINE_END) + 1 || whole
      }
      pieces = end === size ? [] : [all.subarray(end)]
      size -= end
      whole -= end
      return all.subarray(0, end)
    },
  }
}

export type LineStreamBounds = {
  maxBytes: number
  /** Whether a request without a body is one without lines. */
  mayBeEmpty?: boolean
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
  /** Keeps whatever comes up to the bound of the body: the client waits for nothing before it has sent all. */
  readAhead(): void
  /** Resolves when no more of the body comes, though lines of it wait. What does not come is waited for as a line is. */
  arrived(): Promise<void>
  /** Nobody reads on: what still comes is thrown away, and a client that does not stop is cut off. */
  leave(): void
}

/** Longest line, in bytes: the largest body of one report. */
export const MAX_LINE_BYTES = MAX_BODY_BYTES
/** Bytes of whole lines that wait before the client does. */
const HELD = 1024 * 1024
/** How long a client may go on sending after the answer has ended, in milliseconds. */
const LEFT_MS = 30_000

/** Whether the body of a request is said to be lines. */
export const isLines = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  NDJSON_TYPE.test(headers['content-type'] ?? '')

/** Throws 400 without a body, 413 when its declared length is over the bound, 415 for another content type or coding. */
export function checkLineStream(request: IncomingMessage, { maxBytes, mayBeEmpty = false }: LineStreamBounds): void {
  refuseCompressed(request)
  if (!mayBeEmpty && isEmpty(request))
    throw new ApiError('malformed_json', { message: 'a body of JSON lines is required' })
  if (!isLines(request)) throw new ApiError('unsupported_media_type', { message: `content-type must be ${NDJSON}` })
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new ApiError('body_too_large')
}

/** Reads the body of a request that was checked. Nothing is read before the first `next`. */
export function lineStream(request: IncomingMessage, { maxBytes, idleMs, totalMs }: LineStreamBounds): LineStream {
  const splitter = lineSplitter(MAX_LINE_BYTES)
  const until = performance.now() + totalMs
  let state: 'unread' | 'open' | 'left' | 'end' | 'too_large' | 'late' | 'cut' = 'unread'
  let received = 0
  let most = HELD
  let lastAt = performance.now()
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const resolve of [...waiting]) resolve()
  }

  const finish = (as: typeof state): void => {
    if (state !== 'open' && state !== 'unread') return
    state = as
    if (as === 'end') splitter.finish()
    wake()
  }
  const take = (piece: Buffer): void => {
    if (state !== 'open') return
    lastAt = performance.now()
    const room = maxBytes - received
    received += piece.length
    splitter.push(piece.length > room ? piece.subarray(0, room) : piece)
    if (received > maxBytes) finish('too_large')
    else if (splitter.whole() >= most) request.pause()
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
      const end = (): void => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      waiting.add(end)
    })

  return {
    async next(bytesAtMost, waitMs = Number.POSITIVE_INFINITY) {
      if (state === 'unread') begin()
      const idleUntil = Math.min(until, performance.now() + idleMs)
      const waitUntil = performance.now() + waitMs
      for (;;) {
        if (splitter.whole() > 0 && state !== 'left') {
          const bytes = splitter.take(bytesAtMost)
          if (state === 'open' && splitter.whole() < most) request.resume()
          return { kind: 'lines', bytes }
        }
        if (state !== 'open') return { kind: state === 'unread' || state === 'left' ? 'cut' : state }
        const now = performance.now()
        if (now >= idleUntil) finish('late')
        else if (now >= waitUntil) return { kind: 'waiting' }
        else await wait(Math.max(1, Math.ceil(Math.min(idleUntil, waitUntil) - now)))
      }
    },
    readAhead() {
      most = maxBytes
      if (state === 'open') request.resume()
    },
    async arrived() {
      if (state === 'unread') begin()
      // Another look after the last piece is one for each piece at most.
      while (state === 'open') {
        const now = performance.now()
        // Nothing comes while we take nothing.
        if (request.isPaused()) lastAt = now
        const lateAt = Math.min(until, lastAt + idleMs)
        if (now >= lateAt) finish('late')
        else await wait(Math.max(1, Math.ceil(lateAt - now)))
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
