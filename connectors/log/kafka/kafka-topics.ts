import type { Admin } from 'kafkajs'
import type { TopicSpec } from '../port.ts'
import { retryTransient } from './retry.ts'

/** Bytes of a dead letter: room for the headers around a record of the largest size that brokers take by default. */
const DEAD_LETTER_BYTES = 2 * 1024 * 1024

/** Milliseconds until the broker that is queried knows a topic that was just created, and the leaders of its partitions. */
const RETRY_MS = 30_000

/**
 * Declares topics and waits until each of their partitions has a leader. One that exists is left as it is; throws when
 * it has fewer partitions. The operator of the brokers may have added more. The replication factor is the brokers' default. Processes that start at once may
 * declare the same ones: a process that learns that a topic exists may not see it for a moment.
 */
export async function createTopics(admin: Admin, specs: readonly TopicSpec[], compression: string): Promise<void> {
  const existing = new Set(await admin.listTopics())
  const missing = specs.filter(({ name }) => !existing.has(name))
  if (missing.length > 0)
    await admin.createTopics({
      // The client waits for leaders too, but gives up when the broker that it asks does not know the topic yet.
      waitForLeaders: false,
      topics: missing.map((spec) => ({
        topic: spec.name,
        numPartitions: spec.partitions,
        configEntries: configOf(spec, compression),
      })),
    })
  for (const { name, partitions } of specs) {
    const known = await retryTransient(RETRY_MS, () => partitionCount(admin, name))
    if (known < partitions)
      throw new Error(
        `topic ${name} has ${known} partitions but needs ${partitions}; run: kafka-topics --alter --topic ${name} --partitions ${partitions}`,
      )
  }
}

function configOf({ name, cleanup, retentionMs }: TopicSpec, compression: string) {
  const config: Record<string, string> = {
    'cleanup.policy': cleanup,
    'retention.ms': String(retentionMs ?? -1),
    'retention.bytes': '-1',
    // Brokers recode what producers send in another codec: less on the disk, and less to do for readers.
    'compression.type': compression,
  }
  if (name.endsWith('.dead')) config['max.message.bytes'] = String(DEAD_LETTER_BYTES)
  return Object.entries(config).map(([key, value]) => ({ name: key, value }))
}

class UnknownTopic extends Error {
  readonly retriable = true
}

/** Throws, naming the topic, when it does not exist: the client itself would go on asking for a while. */
export async function partitionCount(admin: Admin, topic: string): Promise<number> {
  if (!(await admin.listTopics()).includes(topic)) throw new UnknownTopic(`topic ${topic} does not exist`)
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  return topics[0]?.partitions.length ?? 0
}
