import { join, resolve } from 'node:path'
import { embeddedLog } from '../../connectors/log/embedded/log.ts'
import { kafkaLog } from '../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { Config } from '../../schemas/config.ts'
import { topics } from '../../schemas/topics.ts'

/** The configured log with every topic made: Kafka, or the embedded one in the data folder. */
export async function openLog({ kafkaBrokers, dataDir }: Config): Promise<EventLog> {
  const kind = kafkaBrokers === null ? 'embedded' : 'kafka'
  const log =
    kafkaBrokers === null
      ? await embeddedLog({ folder: join(resolve(dataDir), 'log') })
      : await kafkaLog({ brokers: kafkaBrokers })
  await log.createTopics(topics.map(({ partitions, ...topic }) => ({ ...topic, partitions: partitions[kind] })))
  return log
}
