import type { TopicSpec } from '../port.ts'
import { emptyPartition, type PartitionState, type Store, type TopicRecord } from './log-store.ts'

const MAX_PARTITIONS = 1024

/**
 * Declares topics, all of them in one transaction; one that exists as declared is unchanged, a changed cleanup or
 * retention is taken over. Throws when a topic exists with another number of partitions.
 */
export async function createTopics(store: Store, specs: readonly TopicSpec[]): Promise<void> {
  for (const { name, partitions } of specs) {
    if (!/^[A-Za-z0-9._-]{1,249}$/.test(name)) throw new Error(`"${name}" is not a valid topic name`)
    if (!Number.isInteger(partitions) || partitions < 1 || partitions > MAX_PARTITIONS)
      throw new Error(`topic ${name}: partitions must be 1 to ${MAX_PARTITIONS}, not ${partitions}`)
  }
  await store.write(() => {
    let id = 0
    for (const { value } of store.topics.getRange()) id = Math.max(id, value.id)
    for (const spec of specs) {
      const known = store.topics.get(spec.name)
      if (known && known.partitions !== spec.partitions)
        throw new Error(`topic ${spec.name} has ${known.partitions} partitions, not ${spec.partitions}`)
      store.topics.put(spec.name, { ...spec, id: known?.id ?? ++id })
    }
  })
}

/** The topic as it was declared; throws when it was not. */
export function topicOf(store: Store, name: string): TopicRecord {
  const topic = store.topics.get(name)
  if (!topic) throw new Error(`topic ${name} does not exist`)
  return topic
}

export function checkPartition(topic: TopicRecord, partition: number): void {
  if (!Number.isInteger(partition) || partition < 0 || partition >= topic.partitions)
    throw new Error(`topic ${topic.name} has no partition ${partition}, only 0 to ${topic.partitions - 1}`)
}

export const partitionState = (store: Store, topic: TopicRecord, partition: number): PartitionState =>
  store.partitions.get([topic.id, partition]) ?? emptyPartition

export const partitionsOf = (topic: TopicRecord): number[] => Array.from({ length: topic.partitions }, (_, i) => i)

/** What every partition of a topic keeps: [low, high). */
export const offsetsOf = (store: Store, topic: TopicRecord): { partition: number; low: number; high: number }[] =>
  partitionsOf(topic).map((partition) => {
    const { low, next } = partitionState(store, topic, partition)
    return { partition, low, high: next }
  })
