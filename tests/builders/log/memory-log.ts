import { tailByLooking } from '../../../connectors/log/embedded/log.ts'
import { fitting } from '../../../connectors/log/fitting.ts'
import type { EventLog, LogMessage, OutgoingMessage, Tail } from '../../../connectors/log/port.ts'
import { checkKept, startOffsets } from '../../../connectors/log/start-tail.ts'

export type MemoryLog = EventLog & {
  /** The messages of each send so far, as one array with their topics. */
  sends: (OutgoingMessage & { topic: string })[][]
  /** Every record of a topic that is kept, partition by partition. */
  all(topic: string): LogMessage[]
  /** The next send appends its first `keep` messages and rejects. */
  failNext(keep: number): void
  /** Every send from now on appends nothing and rejects with this; null ends that. */
  failWith(error: Error | null): void
  /** Retention: what one partition has below an offset is gone. */
  dropBefore(topic: string, partition: number, offset: number): void
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
  const lows = new Map<LogMessage[], number>()
  const tails = new Set<Tail>()
  const waiting: (() => void)[] = []
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

  const lowOf = (messages: LogMessage[]): number => lows.get(messages) ?? 0
  const offsetsOf = (topic: string) =>
    partitionsOf(topic).map((messages, partition) => ({ partition, low: lowOf(messages), high: messages.length }))
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
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
      wake()
      if (keep !== null) throw new Error('the log went away')
    },
    offsets: async (topic) => offsetsOf(topic),
    async offsetsAt(topic, time) {
      return partitionsOf(topic).map((messages, partition) => {
        const first = messages.find(({ offset, timestamp }) => timestamp >= time && offset >= lowOf(messages))
        return { partition, offset: first?.offset ?? messages.length }
      })
    },
    async read(topic, partition, from, to, maxRecords) {
      const messages = partitionOf(topic, partition)
      const first = Math.max(from, lowOf(messages))
      return messages.slice(first, Math.min(to, first + maxRecords))
    },
    async *scan(topic, partition, from, to) {
      const messages = partitionOf(topic, partition)
      for (let at = Math.max(from, lowOf(messages)); at < Math.min(to, messages.length); at += PORTION)
        yield messages.slice(at, Math.min(to, at + PORTION))
    },
    async committed(_, topic) {
      return partitionsOf(topic).map((_messages, partition) => ({ partition, offset: null }))
    },
    setOffsets: noGroups,
    consume: noGroups,
    async tail(options, eachBatch) {
      const { topic } = options
      const look = (partition: number, from: number) => {
        const messages = partitionOf(topic, partition)
        checkKept(topic, from, { partition, low: lowOf(messages), high: messages.length })
        if (from === messages.length) return null
        const batch = messages.slice(from, from + fitting(messages, options, from))
        return { partition, messages: batch, to: from + batch.length, highWatermark: messages.length }
      }
      const next = () => new Promise<void>((resolve) => waiting.push(resolve))
      const tail = tailByLooking(startOffsets(offsetsOf(topic), options), { look, next, wake }, eachBatch)
      tails.add(tail)
      tail.closed.finally(() => tails.delete(tail)).catch(() => undefined)
      return tail
    },
    ping: async () => undefined,
    async close() {
      await Promise.all([...tails].map((tail) => tail.stop()))
    },
    all: (topic) => partitionsOf(topic).flatMap((messages) => messages.slice(lowOf(messages))),
    failNext: (keep) => {
      keepOfNext = keep
    },
    failWith: (error) => {
      failure = error
    },
    dropBefore(topic, partition, offset) {
      lows.set(partitionOf(topic, partition), offset)
      wake()
    },
  }
}
