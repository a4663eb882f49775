/** A body of lines of JSON: NDJSON, of which each line is read by itself. */

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { isEmpty, readBytes, refuseCompressed } from './body.ts'
import type { Held } from './body-room.ts'

export const NDJSON = 'application/x-ndjson'

export type LinesBounds = {
  maxBytes: number
  /** Lines that are not blank. */
  maxLines: number
}

/** `count`: lines that are not blank. */
export type Lines = { bytes: Buffer; count: number }

/** What is made of a line until the answer is out, in bytes beside those of the body. */
const LINE_ROOM = 256
const LINE_END = 0x0a
const SPACE = 0x20
const TAB = 0x09
const RETURN = 0x0d
export const NDJSON_TYPE = /^application\/x-ndjson\s*(?:;|$)/i

/**
 * The lines of a body within these bounds. Throws 400, 413, 415, and what `held` refuses; the room is given back only then:
 * whoever answers gives it back else.
 */
export async function readLines(
  request: IncomingMessage,
  held: Held,
  { maxBytes, maxLines }: LinesBounds,
): Promise<Lines> {
  refuseCompressed(request)
  if (isEmpty(request)) throw new ApiError('malformed_json', { message: 'a body of JSON lines is required' })
  if (!NDJSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('unsupported_media_type', { message: `content-type must be ${NDJSON}` })
  }
  try {
    const bytes = await readBytes(request, held, maxBytes)
    const count = countLines(bytes, maxLines)
    if (count > maxLines) throw new ApiError('body_too_large', { message: `the body has more than ${maxLines} lines` })
    const full = held.keep(count * LINE_ROOM)
    if (full !== null) throw full
    return { bytes, count }
  } catch (error) {
    held.release()
    throw error
  }
}

/** A line: its number, from 1, and where it begins. */
export type LinePlace = { line: number; at: number }

/**
 * Calls back with each line that is not blank: its number, from 1, where it begins and where it ends. Returns the place
 * after a line for which the call returned false, to go on from; null at the end.
 */
export function eachLine(
  bytes: Buffer,
  call: (line: number, start: number, end: number) => boolean,
  from: LinePlace = { line: 1, at: 0 },
): LinePlace | null {
  let { line, at } = from
  for (; at < bytes.length; line++) {
    const begins = afterSpace(bytes, at)
    if (begins === bytes.length || bytes[begins] === LINE_END) {
      at = begins + 1
      continue
    }
    const found = bytes.indexOf(LINE_END, begins)
    const end = found < 0 ? bytes.length : found
    const goOn = call(line, at, end)
    at = end + 1
    if (!goOn) return { line: line + 1, at }
  }
  return null
}

/** Lines that are not blank; one more than `most` stands for all beyond it. */
function countLines(bytes: Buffer, most: number): number {
  let count = 0
  eachLine(bytes, () => ++count <= most)
  return count
}

/** The first byte that is no white space of JSON; a line end is none here. */
function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte !== SPACE && byte !== TAB && byte !== RETURN) break
    at++
  }
  return at
}
