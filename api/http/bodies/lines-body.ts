/** A body of lines of JSON: NDJSON, of which each line is read by itself. */

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors.ts'
import { isEmpty, readBytes, refuseCompressed } from './body.ts'

export const NDJSON = 'application/x-ndjson'

export type LinesBounds = {
  maxBytes: number
  /** Lines that are not blank. */
  maxLines: number
}

/** `count`: lines that are not blank. */
export type Lines = { bytes: Buffer; count: number }

export type LinesReader = {
  /** Throws 400, 413, 415, and 503 while other bodies take all the room. `release` gives back the room of this one. */
  read(request: IncomingMessage): Promise<{ lines: Lines; release(): void }>
}

/** Bodies of this length that a process holds at the same time. */
const BODIES = 8

const LINE_END = 0x0a
const SPACE = 0x20
const NDJSON_TYPE = /^application\/x-ndjson\s*(?:;|$)/i

/** Reads the bodies of one route, which together take no more memory than some of the longest. */
export function linesReader({ maxBytes, maxLines }: LinesBounds): LinesReader {
  let held = 0
  return {
    async read(request) {
      refuseCompressed(request)
      if (isEmpty(request)) throw new ApiError('malformed_json', { message: 'a body of lines of JSON is required' })
      if (!NDJSON_TYPE.test(request.headers['content-type'] ?? '')) {
        throw new ApiError('unsupported_media_type', { message: `content-type must be ${NDJSON}` })
      }
      let own = 0
      const release = (): void => {
        held -= own
        own = 0
      }
      const keep = (bytes: number): ApiError | null => {
        if (held + bytes > BODIES * maxBytes) return new ApiError('busy')
        held += bytes
        own += bytes
        return null
      }
      try {
        const bytes = await readBytes(request, maxBytes, keep)
        const count = countLines(bytes)
        if (count > maxLines)
          throw new ApiError('body_too_large', { message: `the body has more than ${maxLines} lines` })
        return { lines: { bytes, count }, release }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/**
 * Calls back with each line that is not blank: its number, from 1, where it begins and where it ends.

 */
export function eachLine(bytes: Buffer, call: (line: number, start: number, end: number) => void): void {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(LINE_END, start)
    const end = found < 0 ? bytes.length : found
    if (!isBlank(bytes, start, end)) call(line, start, end)
    start = end + 1
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  eachLine(bytes, () => count++)
  return count
}

/** Whether there is nothing but white space of JSON. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte !== SPACE && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
