import { randomUUID } from 'node:crypto'
import type { EventLog } from '../../../connectors/log/port.ts'
import { topics } from '../../../schemas/log/topics.ts'

type Scoped = Pick<EventLog, 'send' | 'offsets' | 'offsetsAt' | 'read' | 'consume' | 'committed'>

/** The topics of the platform under names of their own, so that a broker that outlives a test does not mix runs. */
export async function scopedLog(log: EventLog, partitions = 2): Promise<Scoped & { named: (topic: string) => string }> {
  const suffix = randomUUID().slice(0, 8)
  const named = (topic: string): string => `${topic}.${suffix}`
  await log.createTopics(
    topics.map(({ name, cleanup, partitions: { embedded } }) => ({
      name: named(name),
      partitions: Math.min(embedded, partitions),
      cleanup,
      retentionMs: null,
    })),
  )
  return {
    named,
    send: (batches) => log.send(batches.map(({ topic, messages }) => ({ topic: named(topic), messages }))),
    offsets: (topic) => log.offsets(named(topic)),
    offsetsAt: (topic, time) => log.offsetsAt(named(topic), time),
    committed: (group, topic) => log.committed(named(group), named(topic)),
    read: (topic, ...range) => log.read(named(topic), ...range),
    consume: (options, eachBatch) =>
      log.consume(
        { ...options, group: named(options.group), topics: options.topics.map(named) },
        // Batches name the topic as the job knows it.
        (batch) => eachBatch({ ...batch, topic: batch.topic.slice(0, -suffix.length - 1) }),
      ),
  }
}
