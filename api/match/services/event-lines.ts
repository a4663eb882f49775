/** Lines of a body as events of telemetry (decisions 14.1). */

import { isAscii, isUtf8 } from 'node:buffer'
import { contentId, readEvent, type TelemetryEvent } from '../../../schemas/match/event.ts'
import type { ErrorCode } from '../../http/errors.ts'

/** Longest line, in bytes. */
const MAX_LINE_BYTES = 1024 * 1024

type LineFault = { code: ErrorCode; message: string; param?: string }
type LineRead = { ok: true; event: TelemetryEvent; id: string } | { ok: false; fault: LineFault }

const TOO_LONG: LineFault = { code: 'body_too_large', message: `the line is longer than ${MAX_LINE_BYTES} bytes` }
const NO_TEXT: LineFault = { code: 'malformed_json', message: 'the line is not valid UTF-8' }
const NO_JSON: LineFault = { code: 'malformed_json', message: 'the line is not valid JSON' }

/** How many bytes the mark takes that files of Windows begin with: logs are posted as they are. */
const markLength = (bytes: Buffer): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)

const faulty = (fault: LineFault): LineRead => ({ ok: false, fault })

/**
 * Reads one line of a body after the other, from where it begins to where it ends.
 * @param now when they arrive, unix milliseconds
 */
export function lineReader(bytes: Buffer, now: number, retentionDays: number) {
  // Looked at once for the whole body: what is plain ASCII becomes text at half the cost.
  const ascii = isAscii(bytes)
  const valid = ascii || isUtf8(bytes)
  const mark = markLength(bytes)
  return (begin: number, end: number): LineRead => {
    const start = begin === 0 ? mark : begin
    if (end - start > MAX_LINE_BYTES) return faulty(TOO_LONG)
    if (!valid && !isUtf8(bytes.subarray(start, end))) return faulty(NO_TEXT)
    let given: unknown
    try {
      given = JSON.parse(bytes.toString(ascii ? 'latin1' : 'utf8', start, end))
    } catch {
      return faulty(NO_JSON)
    }
    const read = readEvent(given, now, retentionDays)
    if (read.ok) return { ok: true, event: read.event, id: read.event.id ?? contentId(read.event) }
    const { param, message } = read
    return faulty({ code: 'invalid_parameter', message: `${param}: ${message}`, param })
  }
}
