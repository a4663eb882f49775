import { Buffer } from 'node:buffer'
import { isBinary, isHttp } from '../bytes/foreign.ts'
import { createInput } from '../bytes/input.ts'
import { CR, LF } from '../bytes/read.ts'
import { splitInline } from './inline.ts'

/** A request: argument `i` is `bytes` from `starts[i]` to `ends[i]`. It holds until the next one is asked for. */
export type Request = { bytes: Buffer; starts: number[]; ends: number[]; count: number }

/** `foreign`: another protocol. A refusal ends the connection, as what comes next may be data. */
export type Next = 'request' | 'wait' | 'foreign' | { refusal: string }

export const MAX_INLINE_BYTES = 65_536
export const MAX_ARGUMENTS = 65_536
/** Of a whole request with its lengths; what is longer is no list of keys. */
export const MAX_REQUEST_BYTES = 1_048_576
/** Before AUTH: as many arguments as HELLO has with all of its options, and more. */
export const UNKNOWN_ARGUMENTS = 16
export const UNKNOWN_REQUEST_BYTES = 16_384

const ARRAY = 42
const BULK = 36
const MINUS = 45
const MAX_DIGITS = 10
const WAITS = -1
const BAD = -2
/** A longer list of places is not kept for the next request. */
const KEPT_PLACES = 1_024

const NOTHING = Buffer.alloc(0)

const refuse = (why: string): Next => ({ refusal: `ERR Protocol error: ${why}` })

/**
 * Requests in bytes of RESP and of lines (decisions 19.3). Each byte is read once, in pieces of any size; what is kept is at
 * most one request and what was pushed after it.
 */
export function createRequests() {
  const input = createInput()
  const request: Request = { bytes: NOTHING, starts: [], ends: [], count: 0 }
  /** How far a request that is not whole was read, from its first byte. */
  let at = 0
  /** Arguments that are still to come; -1: no array was begun. */
  let left = -1
  /** Length of the argument that comes; -1: its length comes. */
  let bulk = -1
  let after = 0

  /** The number of a header whose digits begin at `from`; sets `after` behind its line. */
  const header = (from: number): number => {
    const { data, end } = input
    let number = 0
    let i = from
    for (; i < end; i++) {
      const digit = data[i]! - 48
      if (digit < 0 || digit > 9) break
      if (i - from === MAX_DIGITS) return BAD
      number = number * 10 + digit
    }
    if (i === end) return WAITS
    if (data[i] !== CR || i === from) return BAD
    if (i + 1 === end) return WAITS
    if (data[i + 1] !== LF) return BAD
    after = i + 2
    return number
  }

  /** Takes the request that ends before `end`. */
  const whole = (end: number): Next => {
    request.bytes = input.data
    input.start = end
    at = 0
    left = -1
    return 'request'
  }

  const begin = (): void => {
    request.count = 0
    if (request.starts.length <= KEPT_PLACES) return
    request.starts = []
    request.ends = []
  }

  const inline = (): Next => {
    const { data, start, end } = input
    if (isBinary(data[start]!)) return refuse('not a request')
    let i = start + at
    const bound = Math.min(end, start + MAX_INLINE_BYTES)
    while (i < bound && data[i] !== LF) i++
    at = i - start
    if (i === bound) return at === MAX_INLINE_BYTES ? refuse('too long a line') : 'wait'
    const last = i > start && data[i - 1] === CR ? i - 1 : i
    if (isHttp(data, start, last)) return 'foreign'
    begin()
    whole(i + 1)
    return splitInline(data, start, last, request) ? 'request' : refuse('unbalanced quotes in request')
  }

  /** Reads how many arguments come. */
  const array = (maxArguments: number): Next | null => {
    const { data, start, end } = input
    if (end - start < 2) return 'wait'
    const isNegative = data[start + 1] === MINUS
    const count = header(isNegative ? start + 2 : start + 1)
    if (count === WAITS) return 'wait'
    if (count === BAD || (!isNegative && count > maxArguments)) return refuse('invalid multibulk length')
    begin()
    if (isNegative || count === 0) return whole(after)
    at = after - start
    left = count
    bulk = -1
    return null
  }

  return {
    request,
    push: input.push,
    /** Reads the next request into `request`; one without arguments has no answer. `isKnown`: after AUTH, or without a secret. */
    next(isKnown: boolean): Next {
      if (input.start === input.end) return 'wait'
      if (left < 0) {
        if (input.data[input.start] !== ARRAY) return inline()
        const next = array(isKnown ? MAX_ARGUMENTS : UNKNOWN_ARGUMENTS)
        if (next !== null) return next
      }
      const maxBytes = isKnown ? MAX_REQUEST_BYTES : UNKNOWN_REQUEST_BYTES
      const { data, start, end } = input
      for (; left > 0; left--) {
        if (bulk < 0) {
          const from = start + at
          if (from === end) return 'wait'
          if (data[from] !== BULK) return refuse("expected '$'")
          const length = header(from + 1)
          if (length === WAITS) return 'wait'
          if (length === BAD || after - start + length + 2 > maxBytes) return refuse('invalid bulk length')
          at = after - start
          bulk = length
        }
        const first = start + at
        const last = first + bulk
        if (end < last + 2) return 'wait'
        if (data[last] !== CR || data[last + 1] !== LF) return refuse('a bulk is longer than its length')
        // From the first byte of the request: what is not whole may still move.
        request.starts[request.count] = at
        request.ends[request.count++] = at + bulk
        at += bulk + 2
        bulk = -1
      }
      for (let i = 0; i < request.count; i++) {
        request.starts[i]! += start
        request.ends[i]! += start
      }
      return whole(start + at)
    },
    /** To be called when a round ends. `isHeld`: the last request is still read. */
    settle(isHeld: boolean): void {
      if (!isHeld) request.bytes = NOTHING
      input.settle()
    },
    clear: input.clear,
    held: input.held,
  }
}
