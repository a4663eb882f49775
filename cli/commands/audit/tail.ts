import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { json } from '../output.ts'
import { type AuditContext, auditDecoder, shownRecord } from './records.ts'

const PORTION = { maxRecords: 500, maxBytes: 1024 * 1024 }

/** Writes each record that comes from now on, one a line, until the signal is aborted. Returns how many. */
export async function tailRecords(
  { log, registry }: AuditContext,
  { write, signal }: { write: (text: string) => Promise<void>; signal: AbortSignal },
): Promise<number> {
  let printed = 0
  const decode = auditDecoder(registry)
  const stopped = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => stopped.resolve(), { once: true })
  if (signal.aborted) return printed
  const tail = await log.tail({ topic: AUDIT_EVENTS, from: [], ...PORTION }, async ({ partition, messages }) => {
    const decoded = await decode(messages)
    const lines = decoded.map((read, i) => {
      const { offset } = messages[i]!
      const shown = read.ok ? shownRecord(read.record, offset) : { partition, offset, unreadable: read.reason }
      return `${json(shown)}\n`
    })
    await write(lines.join(''))
    printed += lines.length
  })
  try {
    await Promise.race([tail.closed, stopped.promise])
  } finally {
    await tail.stop()
  }
  return printed
}
