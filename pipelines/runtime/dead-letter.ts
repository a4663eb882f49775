import type { Batch, LogMessage, OutgoingMessage } from '../../connectors/log/port.ts'

/** A record that no (further) retry can help, why, and after how many attempts. */
export type DeadRecord = { message: LogMessage; reason: string; attempts?: number }

/** Maximum length of a stored reason: it may quote what a producer wrote. */
export const MAX_REASON = 500

/**
 * The record as it is written to `<topic>.dead`: key and value unchanged; the headers name its position, its schema
 * and the fault (design 3). topic, partition and offset identify it, in case a retried batch writes it twice.
 * Dead-letter headers that its producer wrote itself are left out. `handler`: which handler of account events failed.
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
