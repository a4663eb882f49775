import { CONSUMERS, topics } from '../../../schemas/log/topics.ts'
import type { EventLog } from '../../log/port.ts'
import type { ConsumerLag, PartitionLag, TopicStatus } from './port.ts'

const SECOND = 1_000

/**
 * When records of a topic were written, to the second, found by a binary search over offset-by-time lookups: reading
 * the records would take a broker seconds for each partition. Each lookup is sent once and answers for all
 * partitions.
 */
function topicTimes(log: Pick<EventLog, 'offsetsAt'>, topic: string, now: number) {
  const lookups = new Map<number, Promise<Map<number, number>>>()

  function offsetsAt(second: number): Promise<Map<number, number>> {
    const known = lookups.get(second)
    if (known !== undefined) return known
    const found = log
      .offsetsAt(topic, second * SECOND)
      .then((all) => new Map(all.map(({ partition, offset }) => [partition, offset])))
    lookups.set(second, found)
    return found
  }

  /** The last second at whose start no record beyond `offset` had been written. */
  async function writtenAt(partition: number, offset: number): Promise<number> {
    let from = 0
    // A producer's clock may be ahead of ours.
    for (let to = Math.ceil(now / SECOND) * 2; to - from > 1; ) {
      const middle = Math.floor((from + to) / 2)
      if (((await offsetsAt(middle)).get(partition) ?? 0) <= offset) from = middle
      else to = middle
    }
    return from * SECOND
  }

  return { writtenAt }
}

type OffsetLog = Pick<EventLog, 'offsets' | 'offsetsAt' | 'committed'>

/** Consumer lag and topic status read from the log. `now` in unix milliseconds. */
export const consumerLag = (log: OffsetLog, now: () => number): ConsumerLag => ({
  topics: () => Promise.all(topics.map((topic) => topicStatus(log, topic, now()))),
  lag: async () => (await Promise.all(CONSUMERS.map((consumer) => partitionLags(log, consumer, now())))).flat(),
})

async function topicStatus(
  log: OffsetLog,
  { name: topic, retentionMs, cleanup }: (typeof topics)[number],
  now: number,
): Promise<TopicStatus> {
  const partitions = await log.offsets(topic)
  const times = topicTimes(log, topic, now)
  const filled = partitions.filter(({ low, high }) => high > low)
  const newest = await Promise.all(filled.map(({ partition, high }) => times.writtenAt(partition, high - 1)))
  return {
    topic,
    partitions,
    records: partitions.reduce((sum, { low, high }) => sum + high - low, 0),
    newest: newest.length === 0 ? null : Math.max(...newest),
    retentionMs,
    cleanup,
  }
}

async function partitionLags(
  log: OffsetLog,
  { group, topic, optional }: (typeof CONSUMERS)[number],
  now: number,
): Promise<PartitionLag[]> {
  const [offsets, committed] = await Promise.all([log.offsets(topic), log.committed(group, topic)])
  if (optional && committed.every(({ offset }) => offset === null)) return []
  const times = topicTimes(log, topic, now)
  return Promise.all(
    offsets.map(async ({ partition, low, high: end }) => {
      const at = committed.find((known) => known.partition === partition)?.offset ?? null
      const next = Math.max(low, at ?? low)
      const lag = Math.max(0, end - next)
      const oldestUnread = lag === 0 ? null : await times.writtenAt(partition, next)
      return { group, topic, partition, committed: at, end, lag, oldestUnread }
    }),
  )
}
