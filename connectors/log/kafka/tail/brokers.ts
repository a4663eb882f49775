import type { Kafka } from 'kafkajs'
import { within } from '../within.ts'
import { type Broker, clusterOf, cutOff } from './cluster.ts'
import { type FetchBounds, type Fetched, fetchFrom, type Wanted } from './fetch.ts'

/** Longer than the client waits for a connection and an answer over it, milliseconds. */
const ANSWER_MS = 30_000
const LEADERS_MS = 60_000

/** The brokers of one topic, over connections of their own. */
export type TailBrokers = {
  /** The broker that leads each partition, asked for anew. */
  leaders(): Promise<Map<number, number>>
  /** Each partition that is wanted has an answer of its own, which may be an error. Throws when the broker gives none. */
  fetch(broker: number, wanted: readonly Wanted[], bounds: FetchBounds): Promise<Fetched[]>
  /** The connections to a broker are of no use any more: the next request makes others. */
  drop(broker: number): void
  /** Ends all connections; what waits for an answer fails. */
  close(): void
}

export function tailBrokers(kafka: Kafka, topic: string): TailBrokers {
  const cluster = clusterOf(kafka)

  async function refresh(): Promise<void> {
    await cluster.connect()
    await cluster.addTargetTopic(topic)
    await cluster.refreshMetadata()
  }

  return {
    async leaders() {
      await within(LEADERS_MS, `asking who leads ${topic}`, refresh())
      const partitions = cluster.findTopicPartitionMetadata(topic)
      return new Map(partitions.map(({ partitionId, leader }) => [partitionId, leader]))
    },
    async fetch(node, wanted, bounds) {
      const asking = async () => fetchFrom(await cluster.findBroker({ nodeId: String(node) }), topic, wanted, bounds)
      return within(bounds.waitMs + ANSWER_MS, `fetching from broker ${node}`, asking())
    },
    drop(node) {
      const broker = cluster.brokerPool.brokers[node]
      if (broker === undefined) return
      const { host, port } = broker.connectionPool
      cluster.removeBroker({ host, port })
      cutOff(broker)
    },
    close() {
      const { brokers, seedBroker } = cluster.brokerPool
      const all = new Set<Broker>(Object.values(brokers))
      if (seedBroker !== undefined) all.add(seedBroker)
      for (const broker of all) cutOff(broker)
    },
  }
}
