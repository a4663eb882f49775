import type { EventLog, LogMessage } from '../../connectors/log/port.ts'

const STEP = 20_000

type Decode = (messages: readonly LogMessage[]) => Promise<{ records: { value: { id: string } }[] }>

/**
 * Ids of the records that were appended to a topic at and after these offsets (one per partition, in their order), up
 * to now. Read back by a producer that does not know how far it came before it died. Reads in bounded steps.
 */
export async function appendedSince(
  log: EventLog,
  topic: string,
  watermarks: readonly number[],
  decode: Decode,
): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { partition, low, high } of await log.offsets(topic)) {
    let next = Math.max(low, watermarks[partition] ?? low)
    while (next < high) {
      const messages = await log.read(topic, partition, next, high, STEP)
      const last = messages.at(-1)
      if (last === undefined) break
      for (const { value } of (await decode(messages)).records) ids.add(value.id)
      next = last.offset + 1
    }
  }
  return ids
}
