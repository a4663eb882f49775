import type { Batch, LogMessage, OutgoingMessage } from '../../connectors/log/port.ts'

/** A record that no (further) retry can help, why, and after how many attempts. */
export type DeadRecord = { message: LogMessage; reason: string; attempts?: number }

/** Characters of a reason that are kept: it may quote what a producer wrote. */
export const MAX_REASON = 500

/**
 * The record as it goes to `<topic>.dead`: key and value untouched; the headers say where it stood, which schema wrote
 * it and what was wrong (design 3). topic, partition and offset identify it, should a retried batch bury it twice.
 * Headers of a burial that its producer wrote itself are left out. `handler`: which one of account events buries it.
 */
export function deadLetterOf(
  batch: Pick<Batch, 'topic' | 'partition'>,
  { message, reason, attempts = 1 }: DeadRecord,
  handler?: string,
): OutgoingMessage {
  const { value } = message
  const own = Object.entries(message.headers).filter(([name]) => !name.startsWith('dead-'))
  const schemaId = value !== null && value.length >= 5 && value[0] === 0 ? String(value.readUInt32BE(1)) : ''
  return {
    key: message.key,
    value,
    headers: {
      ...Object.fromEntries(own),
      'dead-topic': batch.topic,
      'dead-partition': String(batch.partition),
      'dead-offset': String(message.offset),
      'dead-timestamp': String(message.timestamp),
      'dead-schema-id': schemaId,
      'dead-reason': reason.slice(0, MAX_REASON),
      'dead-attempts': String(attempts),
      ...(handler !== undefined && { 'dead-handler': handler }),
    },
  }
}
