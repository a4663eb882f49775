import type { Kafka } from 'kafkajs'
import type { Tail, TailBatch, TailOptions } from '../../port.ts'
import { startOffsets } from '../../tail/start.ts'
import { tailBrokers } from './brokers.ts'
import { followBrokers } from './follow.ts'

export type TailClient = {
  /** It must not try again by itself. */
  client: Kafka
  /** What every partition of the topic keeps now; throws when there is no such topic. */
  offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]>
  metadataMs: number
}

/** Follows a topic over connections of its own; no group and no coordinator has a part in it (ADR 213). */
export async function tailKafka(
  { client, offsets, metadataMs }: TailClient,
  options: TailOptions,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Promise<Tail> {
  const { topic } = options
  const starts = startOffsets(await offsets(topic), options)

  async function kept(partition: number): Promise<{ low: number; high: number }> {
    const found = (await offsets(topic)).find((one) => one.partition === partition)
    if (found === undefined) throw new Error(`topic ${topic} has no partition ${partition}`)
    return found
  }

  return followBrokers({ brokers: tailBrokers(client, topic), starts, kept, metadataMs }, options, eachBatch)
}
