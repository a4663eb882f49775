import type { EventLog, LogMessage } from '../../connectors/log/port.ts'

export type Watermark = { partition: number; offset: number }

/** Records that are requested at once. */
const STEP = 10_000

/**
 * Which of the wanted ids were appended to `topic` at or after `watermarks` (one per partition): what a producer that
 * stopped half way through a batch need not send again. Reads up to the high watermarks of the moment of the
 * call (ADR 267).
 * @param idOf the id of a record; undefined for one that is of no interest
 * A partition without a watermark was added since: all of it is read.
 * @throws when a partition holds records no longer that the watermark asks for.
 */
export async function findAppended(
  log: Pick<EventLog, 'offsets' | 'read'>,
  topic: string,
  watermarks: readonly Watermark[],
  wanted: ReadonlySet<string> | ((id: string) => boolean),
  idOf: (message: LogMessage) => string | undefined,
): Promise<Set<string>> {
  const isWanted = typeof wanted === 'function' ? wanted : (id: string) => wanted.has(id)
  const found = new Set<string>()
  for (const { partition, low, high } of await log.offsets(topic)) {
    const from = watermarks.find((mark) => mark.partition === partition)?.offset ?? low
    if (from < low) throw new Error(`${topic}/${partition} starts at offset ${low}, but offset ${from} is needed`)
    for (let at = from; at < high; ) {
      const messages = await log.read(topic, partition, at, high, STEP)
      for (const message of messages) {
        const id = idOf(message)
        if (id !== undefined && isWanted(id)) found.add(id)
      }
      // Nothing below the high watermark: compaction or transaction marks took the rest of the range.
      const last = messages.at(-1)
      at = last === undefined ? high : last.offset + 1
    }
  }
  return found
}
