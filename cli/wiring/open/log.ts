import { join, resolve } from 'node:path'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Config } from '../../../platform/config.ts'
import { OBSERVATIONS, topicsOn } from '../../../schemas/log/topics.ts'
import { chosenPartitions } from './partitions.ts'

/** A process that was killed keeps its partitions this long; a batch may keep a live one from giving a sign for a second. */
const LEASE_MS = 5_000

/** A log with every topic made. */
export type OpenLog = EventLog & {
  /** Among how many partitions the keys of topics like entity.observations are distributed; more may be there. */
  keyPartitions: number
}

/** The partition of entity.observations that a key belongs to. */
export const homeOf =
  ({ keyPartitions }: Pick<OpenLog, 'keyPartitions'>): ((key: Buffer) => number) =>
  (key) =>
    partitionOf(key, keyPartitions)

/**
 * The configured log with every topic made: Kafka, or the embedded one in the data folder.
 * @param onLost told of consumers of a Kafka that begin anew
 */
export async function openLog(
  config: Config,
  onLost: (lost: { group: string; reason: string }) => void = () => undefined,
): Promise<OpenLog> {
  const { kafkaBrokers, kafkaSecurity, kafkaPartitions, kafkaSessionMs: sessionMs, dataDir } = config
  const kind = kafkaBrokers === null ? 'embedded' : 'kafka'
  // Each has a client of many modules, and a process needs one of them.
  const log =
    kafkaBrokers === null
      ? await (await import('../../../connectors/log/embedded/log.ts')).embeddedLog({
          folder: join(resolve(dataDir), 'log'),
          leaseMs: LEASE_MS,
        })
      : await (await import('../../../connectors/log/kafka/log.ts')).kafkaLog({
          brokers: kafkaBrokers,
          sessionMs,
          onLost,
          ...kafkaSecurity,
        })
  try {
    const specs = topicsOn(kind, kind === 'kafka' ? await chosenPartitions(log, kafkaPartitions) : undefined)
    await log.createTopics(specs)
    return { ...log, keyPartitions: specs.find(({ name }) => name === OBSERVATIONS)!.partitions }
  } catch (error) {
    await log.close()
    throw error
  }
}
