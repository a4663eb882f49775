import { join, resolve } from 'node:path'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Config } from '../../../platform/config.ts'
import { keyPartitions, OBSERVATIONS, topics } from '../../../schemas/log/topics.ts'

/** A process that was killed keeps its partitions this long; a batch may keep a live one from giving a sign for a second. */
const LEASE_MS = 5_000

/** The partition of entity.observations that a key belongs to, on the configured log. */
export function homeOf({ kafkaBrokers }: Pick<Config, 'kafkaBrokers'>): (key: Buffer) => number {
  const partitions = keyPartitions(OBSERVATIONS, kafkaBrokers === null ? 'embedded' : 'kafka')
  return (key) => partitionOf(key, partitions)
}

/** The configured log with every topic made: Kafka, or the embedded one in the data folder. */
export async function openLog({ kafkaBrokers, kafkaSecurity, dataDir }: Config): Promise<EventLog> {
  const kind = kafkaBrokers === null ? 'embedded' : 'kafka'
  const log =
    kafkaBrokers === null
      ? await embeddedLog({ folder: join(resolve(dataDir), 'log'), leaseMs: LEASE_MS })
      : await kafkaLog({ brokers: kafkaBrokers, ...kafkaSecurity })
  await log.createTopics(topics.map(({ partitions, ...topic }) => ({ ...topic, partitions: partitions[kind] })))
  return log
}
