import { join } from 'node:path'
import { embeddedLog } from '../../connectors/log/embedded/log.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { Config } from '../../schemas/config.ts'
import { topics } from '../../schemas/topics.ts'

/** The configured log with every topic made: Kafka, or the embedded one in the data folder. */
export async function openLog(config: Config): Promise<EventLog> {
  const kind = 'embedded'
  const log = await embeddedLog({ folder: join(config.dataDir, 'log') })
  await log.createTopics(topics.map(({ partitions, ...topic }) => ({ ...topic, partitions: partitions[kind] })))
  return log
}
