import { join, resolve } from 'node:path'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Config } from '../../../platform/config.ts'
import { KAFKA_PARTITIONS, OBSERVATIONS, topicsOn } from '../../../schemas/log/topics.ts'

/** An empty topic of this name says that the log was made with so many partitions; without one it has the usual number. */
const MARK = /^log\.partitions\.(\d{1,4})$/

/**
 * Among how many partitions keys are distributed on Kafka: chosen when the topics are first made, and the same for ever, as
 * a key must stay where it is (ADR 267, ADR 266). The choice is recorded before any topic is made, by the name of a
 * topic: that is made once, costs a start no reading, and stays when partitions are added.
 * @param asked what the configuration asks for; null: what the log was made with
 * @throws Error when the log was made with another number, or has records of before there was a choice
 */
export async function chosenPartitions(
  log: Pick<EventLog, 'topicNames' | 'createTopics' | 'offsets'>,
  asked: number | null,
): Promise<number> {
  const names = await log.topicNames()
  const recorded = markedIn(names)
  if (recorded !== null) return agreed(recorded, asked)
  if (asked === null || asked === KAFKA_PARTITIONS) return KAFKA_PARTITIONS
  if (names.includes(OBSERVATIONS) && (await log.offsets(OBSERVATIONS)).some(({ high }) => high > 0))
    return agreed(KAFKA_PARTITIONS, asked)
  await log.createTopics([{ name: `log.partitions.${asked}`, partitions: 1, cleanup: 'delete', retentionMs: null }])
  // Another process may have been first, with another number.
  return agreed(markedIn(await log.topicNames()) ?? asked, asked)
}

function markedIn(names: readonly string[]): number | null {
  const marks = names.filter((name) => MARK.test(name))
  if (marks.length > 1)
    throw new Error(
      `the log has marks for several numbers of partitions: ${marks.sort().join(', ')}; before anything is reported, delete all but one of these topics`,
    )
  return marks.length === 0 ? null : Number(MARK.exec(marks[0]!)![1])
}

function agreed(recorded: number, asked: number | null): number {
  if (asked !== null && asked !== recorded)
    throw new Error(
      `KAFKA_PARTITIONS is ${asked}, but keys of this log are distributed over ${recorded} partitions; set ${recorded}, or see harrier guide runbooks/partitions`,
    )
  return recorded
}

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
