import type { EventLog, LogMessage, OutgoingMessage } from '../../../connectors/log/port.ts'

export type MemoryLog = Pick<EventLog, 'createTopics' | 'send' | 'offsets' | 'read'> & {
  /** Every record of a topic, partition by partition. */
  all(topic: string): LogMessage[]
  /** What the next sends do instead of succeeding: append the first `keep` messages, then reject. */
  failNext(keep: number): void
}

/** The producing half of an event log, in memory; keys choose partitions by their last character. */
export function memoryLog(partitions = 2): MemoryLog {
  const topics = new Map<string, LogMessage[][]>()
  let failing: number | undefined
  const partitionsOf = (topic: string): LogMessage[][] => {
    const known = topics.get(topic)
    if (known !== undefined) return known
    const created = Array.from({ length: partitions }, (): LogMessage[] => [])
    topics.set(topic, created)
    return created
  }
  const append = (topic: string, { key, value, headers = {}, timestamp = 0 }: OutgoingMessage): void => {
    const bytes = key === null ? null : Buffer.from(key)
    const messages = partitionsOf(topic)[(bytes?.at(-1) ?? 0) % partitions]!
    messages.push({ offset: messages.length, key: bytes, value, headers, timestamp })
  }
  return {
    async createTopics(specs) {
      for (const { name } of specs) partitionsOf(name)
    },
    async send(batches) {
      const all = batches.flatMap(({ topic, messages }) => messages.map((message) => ({ topic, message })))
      const kept = failing === undefined ? all : all.slice(0, failing)
      for (const { topic, message } of kept) append(topic, message)
      if (failing === undefined) return
      failing = undefined
      throw new Error('the log went away')
    },
    async offsets(topic) {
      return partitionsOf(topic).map((messages, partition) => ({ partition, low: 0, high: messages.length }))
    },
    async read(topic, partition, from, to, maxRecords) {
      return partitionsOf(topic)[partition]!.slice(from, Math.min(to, from + maxRecords))
    },
    all: (topic) => partitionsOf(topic).flat(),
    failNext: (keep) => {
      failing = keep
    },
  }
}
