/** Events of telemetry into the log: each line is answered, and the answer goes out when all of them are durable. */

import { isAscii, isUtf8 } from 'node:buffer'
import { setImmediate as others } from 'node:timers/promises'
import type { EventLog, OutgoingMessage } from '../../../connectors/log/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { ACCEPTED_TELEMETRY } from '../../../schemas/log/topics.ts'
import { contentId, readEvent, type TelemetryEvent, type TelemetryRecord } from '../../../schemas/match/event.ts'
import { eachLine, type LinePlace, type Lines } from '../../http/bodies/lines-body.ts'
import { type ErrorCode, failure } from '../../http/errors.ts'
import type { SettingsService } from './settings-service.ts'

// Lines of a body as events of telemetry (decisions 14.1).

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
function lineReader(bytes: Buffer, now: number, retentionDays: number) {
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

export type EventPorts = {
  log: Pick<EventLog, 'send'>
  /** An event as it crosses the log. */
  encodeTelemetry: (record: TelemetryRecord) => Buffer
  settings: Pick<SettingsService, 'ofSender'>
  now: () => number
}

/** Lines that are read before other requests have their turn: some milliseconds. */
const SLICE = 512

export function eventService({ log, encodeTelemetry, settings, now }: EventPorts) {
  return {
    /**
     * Appends all events of a body in one send, and resolves to a line of answer for each line that is not blank, in
     * order. Throws 500 (`publish_failed`) when the log does not say that they are durable: they may be there all the
     * same, and sent again they count once.
     */
    async accept(user: Identity, { bytes }: Lines): Promise<string> {
      const { owner, retentionDays } = await settings.ofSender(user)
      const at = now()
      const read = lineReader(bytes, at, retentionDays)
      const messages: OutgoingMessage[] = []
      const answers: string[] = []

      const answer = (line: number, start: number, end: number): boolean => {
        const found = read(start, end)
        if (found.ok) {
          const { event, id } = found
          const value = encodeTelemetry({ ...event, id, feed: '', owner } as TelemetryRecord)
          // The time by which the event was found to be of use, so that whoever reads it finds the same.
          messages.push({ key: id, value, timestamp: at })
          answers.push(`{"line":${line},"id":${JSON.stringify(id)}}\n`)
        } else answers.push(`${JSON.stringify({ line, error: found.fault })}\n`)
        return answers.length % SLICE !== 0
      }

      let place: LinePlace | null = eachLine(bytes, answer)
      while (place !== null) {
        await others()
        place = eachLine(bytes, answer, place)
      }
      await publish(messages)
      return answers.join('')
    },
  }

  async function publish(messages: OutgoingMessage[]): Promise<void> {
    if (messages.length === 0) return
    try {
      await log.send([{ topic: ACCEPTED_TELEMETRY, messages }])
    } catch (cause) {
      throw failure('publish_failed', cause)
    }
  }
}

export type EventService = ReturnType<typeof eventService>
