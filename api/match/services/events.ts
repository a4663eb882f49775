/** Events of telemetry into the log: each line is answered, and the answer goes out when all of them are durable. */

import { setImmediate as others } from 'node:timers/promises'
import type { EventLog, OutgoingMessage } from '../../../connectors/log/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { ACCEPTED_TELEMETRY } from '../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../schemas/match/event.ts'
import { eachLine, type LinePlace, type Lines } from '../../http/bodies/lines-body.ts'
import { failure } from '../../http/errors.ts'
import { lineReader } from './event-lines.ts'
import type { SettingsService } from './settings.ts'

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
