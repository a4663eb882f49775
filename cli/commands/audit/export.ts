import { ocsfEvent } from '../../../schemas/audit/ocsf.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { version } from '../../wiring/process/version.ts'
import { json } from '../output.ts'
import { type AuditContext, auditDecoder, shownRecord } from './records.ts'

export const FORMATS = ['ocsf', 'ndjson'] as const

export type ExportOptions = {
  format: (typeof FORMATS)[number]
  /** Unix milliseconds; null: all. `until` is the first that is left out. */
  since: number | null
  until: number | null
  write: (text: string) => Promise<void>
  signal: AbortSignal
}

/** A record is sealed and sent a moment after it was made: what comes so much later than a time is not of before it. */
const LATE_MS = 24 * 60 * 60 * 1000

const tool = { version }

/** Writes records one a line, partition by partition, each in the order of its chain. Returns how many. */
export async function exportRecords(
  { log, registry }: AuditContext,
  { format, since, until, write, signal }: ExportOptions,
): Promise<number> {
  const decode = auditDecoder(registry)
  const ends = await log.offsets(AUDIT_EVENTS)
  const from = since === null ? null : await log.offsetsAt(AUDIT_EVENTS, since)
  const seen = lastSequences()
  let written = 0
  for (const { partition, low, high } of ends.toSorted((a, b) => a.partition - b.partition)) {
    const first = from?.find((one) => one.partition === partition)?.offset ?? low
    scan: for await (const messages of log.scan(AUDIT_EVENTS, partition, Math.max(first, low), high)) {
      signal.throwIfAborted()
      const decoded = await decode(messages)
      let text = ''
      for (let i = 0; i < messages.length; i++) {
        const { offset, timestamp } = messages[i]!
        const read = decoded[i]!
        if (!read.ok)
          throw new Error(`partition ${partition} offset ${offset}: ${read.reason}; run harrier audit verify`)
        const { record } = read
        if (until !== null && timestamp >= until + LATE_MS) {
          await write(text)
          break scan
        }
        if (seen.isRepeat(partition, record.sequence)) continue
        if ((since !== null && record.at < since) || (until !== null && record.at >= until)) continue
        const shown = format === 'ocsf' ? ocsfEvent(record, offset, tool) : shownRecord(record, offset)
        text += `${json(shown)}\n`
        written++
      }
      await write(text)
    }
  }
  return written
}

/** A record that stands twice is written once. */
function lastSequences() {
  const last = new Map<number, number>()
  return {
    isRepeat(partition: number, sequence: number): boolean {
      if (sequence <= (last.get(partition) ?? -1)) return true
      last.set(partition, sequence)
      return false
    },
  }
}
