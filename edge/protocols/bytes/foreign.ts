import type { Buffer } from 'node:buffer'
import { CR, LF, SPACE } from './read.ts'

/** What other protocols send to a port. A browser can be made to send HTTP anywhere, with a body of somebody's choice. */

const LONGEST_VERSION = ' HTTP/1.1'.length

/** Whether a line, without its end, begins a request of HTTP or is the header that each of them has. */
export function isHttp(bytes: Buffer, start: number, end: number): boolean {
  const last = bytes.toString('latin1', Math.max(start, end - LONGEST_VERSION), end)
  return / HTTP\/\d(?:\.\d)?$/.test(last) || bytes.toString('latin1', start, start + 5).toLowerCase() === 'host:'
}

/** Whether no line of text begins so: TLS, or a binary protocol, which would wait for an answer for ever. */
export const isBinary = (first: number): boolean =>
  (first < SPACE && first !== CR && first !== LF && first !== 9) || first > 0x7e
