import { deadTopic } from '../../../schemas/log/topics.ts'
import type { EventLog, LogMessage } from '../../log/port.ts'
import { type DeadLetterEntry, STEP } from './entries.ts'

export type DeadRecord = { entry: DeadLetterEntry; message: LogMessage }

/**
 * The records of these dead letters in the order of each partition, in groups that fit into memory. Records between
 * two of them are read only when that does not cost an additional read.
 */
export async function* recordsOf(
  log: Pick<EventLog, 'read'>,
  entries: readonly DeadLetterEntry[],
): AsyncGenerator<DeadRecord[]> {
  for (const [at, waiting] of byPartition(entries)) {
    const [topic, partition] = at
    const wanted = new Map(waiting.map((entry) => [entry.place.offset, entry]))
    const end = waiting.at(-1)!.place.offset + 1
    for (let next = waiting[0]!.place.offset, i = 0; next < end; ) {
      const to = Math.min(end, next + STEP.records)
      const messages = await log.read(deadTopic(topic), partition, next, to, STEP.records, STEP.bytes)
      const found = messages.flatMap((message) => {
        const entry = wanted.get(message.offset)
        return entry === undefined ? [] : [{ entry, message }]
      })
      if (found.length > 0) yield found
      const read = (messages.at(-1)?.offset ?? to - 1) + 1
      while (i < waiting.length && waiting[i]!.place.offset < read) i++
      next = waiting[i]?.place.offset ?? end
    }
  }
}

function byPartition(entries: readonly DeadLetterEntry[]): Map<readonly [string, number], DeadLetterEntry[]> {
  const names = new Map<string, readonly [string, number]>()
  const found = new Map<readonly [string, number], DeadLetterEntry[]>()
  for (const entry of entries) {
    const { topic, partition } = entry.place
    const name = `${topic}/${partition}`
    const at = names.get(name) ?? ([topic, partition] as const)
    names.set(name, at)
    const same = found.get(at)
    if (same === undefined) found.set(at, [entry])
    else same.push(entry)
  }
  for (const same of found.values()) same.sort((a, b) => a.place.offset - b.place.offset)
  return found
}
