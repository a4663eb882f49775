import type { EventLog, LogMessage, OutgoingMessage } from '../../../connectors/log/port.ts'

export type MemoryLog = EventLog & {
  /** The messages of each send so far, as one array with their topics. */
  sends: (OutgoingMessage & { topic: string })[][]
  /** Every record of a topic, partition by partition. */
  all(topic: string): LogMessage[]
  /** The next send appends its first `keep` messages and rejects. */
  failNext(keep: number): void
  /** Every send from now on appends nothing and rejects with this; null ends that. */
  failWith(error: Error | null): void
}

/** Partitions of a topic that no test declared. */
const PARTITIONS = 2
/** Records of one portion of a scan. */
const PORTION = 1_000

const noGroups = async (): Promise<never> => {
  throw new Error('the log in memory has no consumer groups')
}

/**
 * An event log in memory, without groups. A topic is there from its first use; keys choose partitions by their last
 * character. `tests/contract/log/memory.test.ts` lists the promises of the port that it does not keep.
 * @param fixed the number of partitions of every topic; default: as declared, 2 without a declaration
 */
export function memoryLog(fixed?: number): MemoryLog {
  const topics = new Map<string, LogMessage[][]>()
  const sends: MemoryLog['sends'] = []
  let keepOfNext: number | null = null
  let failure: Error | null = null

  const partitionsOf = (topic: string, declared = PARTITIONS): LogMessage[][] => {
    const known = topics.get(topic)
    if (known !== undefined) return known
    const created = Array.from({ length: fixed ?? declared }, (): LogMessage[] => [])
    topics.set(topic, created)
    return created
  }
  const partitionOf = (topic: string, partition: number): LogMessage[] => {
    const messages = partitionsOf(topic)[partition]
    if (messages === undefined) throw new Error(`${topic} has no partition ${partition}`)
    return messages
  }
  const append = (topic: string, { key, value, headers = {}, timestamp = Date.now(), partition }: OutgoingMessage) => {
    const bytes = key === null ? null : Buffer.from(key)
    const messages = partitionOf(topic, partition ?? (bytes?.at(-1) ?? 0) % partitionsOf(topic).length)
    messages.push({ offset: messages.length, key: bytes, value, headers, timestamp })
  }

  return {
    sends,
    async createTopics(specs) {
      for (const { name, partitions } of specs)
        if (partitionsOf(name, partitions).length < partitions && fixed === undefined)
          throw new Error(`${name} has fewer than ${partitions} partitions`)
    },
    topicNames: async () => [...topics.keys()],
    async send(batches) {
      if (failure !== null) throw failure
      const all = batches.flatMap(({ topic, messages }) => messages.map((message) => ({ ...message, topic })))
      const keep = keepOfNext
      keepOfNext = null
      const kept = keep === null ? all : all.slice(0, keep)
      sends.push(kept)
      for (const message of kept) append(message.topic, message)
      if (keep !== null) throw new Error('the log went away')
    },
    async offsets(topic) {
      return partitionsOf(topic).map((messages, partition) => ({ partition, low: 0, high: messages.length }))
    },
    async offsetsAt(topic, time) {
      return partitionsOf(topic).map((messages, partition) => {
        const first = messages.find(({ timestamp }) => timestamp >= time)
        return { partition, offset: first?.offset ?? messages.length }
      })
    },
    async read(topic, partition, from, to, maxRecords) {
      return partitionOf(topic, partition).slice(from, Math.min(to, from + maxRecords))
    },
    async *scan(topic, partition, from, to) {
      const messages = partitionOf(topic, partition)
      for (let at = from; at < Math.min(to, messages.length); at += PORTION)
        yield messages.slice(at, Math.min(to, at + PORTION))
    },
    async committed(_, topic) {
      return partitionsOf(topic).map((_messages, partition) => ({ partition, offset: null }))
    },
    setOffsets: noGroups,
    consume: noGroups,
    ping: async () => undefined,
    close: async () => undefined,
    all: (topic) => partitionsOf(topic).flat(),
    failNext: (keep) => {
      keepOfNext = keep
    },
    failWith: (error) => {
      failure = error
    },
  }
}
