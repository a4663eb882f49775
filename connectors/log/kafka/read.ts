import type { Admin, Kafka } from 'kafkajs'
import type { LogMessage } from '../port.ts'
import { type ScanRange, scanRange } from './scan.ts'

/** Records of [from, to) of one partition, within the bounds: the beginning of a scan, with all that one costs. */
export async function readRange(
  kafka: Kafka,
  admin: Admin,
  { maxRecords, maxBytes, ...asked }: ScanRange & { maxRecords: number; maxBytes: number },
): Promise<LogMessage[]> {
  const messages: LogMessage[] = []
  let bytes = 0
  if (maxRecords < 1) return messages
  for await (const portion of scanRange(kafka, admin, asked))
    for (const message of portion) {
      bytes += (message.key?.length ?? 0) + (message.value?.length ?? 0)
      if (messages.length > 0 && bytes > maxBytes) return messages
      messages.push(message)
      if (messages.length >= maxRecords) return messages
    }
  return messages
}
