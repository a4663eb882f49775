import type { EventLog } from '../../../connectors/log/port.ts'
import type { DeadLetters } from '../../../connectors/operations/dead-letters/port.ts'
import type { ConsumerLag } from '../../../connectors/operations/lag/port.ts'
import { topicsOn } from '../../../schemas/log/topics.ts'
import { type Check, ok, warn } from './finding.ts'

/** Reports dead letters that are neither replayed nor dropped. */
export const deadLettersCheck = (open: () => Promise<Pick<DeadLetters, 'waiting'>>): Check => ({
  name: 'dead letters',
  todo: '/help/operate/runbooks/dead-letters/',
  async run() {
    const box = await open()
    const waiting = [...(await box.waiting())].filter(([, letters]) => letters > 0)
    if (waiting.length === 0) return [ok('no dead letters are waiting')]
    return waiting.map(([topic, letters]) =>
      warn(
        `${letters} dead letters of ${topic} are waiting`,
        `run: harrier dead-letters list ${topic} (/help/operate/runbooks/dead-letters/)`,
      ),
    )
  },
})

const RUNBOOK = '/help/operate/runbooks/partitions/'

/** Reports added partitions: they are read, and keyed records stay in the first ones (ADR 267). */
export const partitionsCheck = (
  log: Pick<EventLog, 'offsets'>,
  kind: 'embedded' | 'kafka',
  keyPartitions: number,
): Check => ({
  name: 'partitions',
  todo: RUNBOOK,
  async run() {
    const counted = await Promise.all(
      topicsOn(kind, keyPartitions).map(async ({ name, partitions }) => ({
        name,
        declared: partitions,
        there: (await log.offsets(name)).length,
      })),
    )
    const grown = counted.filter(({ there, declared }) => there > declared)
    if (grown.length === 0) return [ok('every topic has the declared number of partitions')]
    return grown.map(({ name, there, declared }) =>
      warn(
        `${name} has ${there} partitions; keyed records use only the first ${declared}`,
        `no action is required: ${RUNBOOK}`,
      ),
    )
  },
})

/** A consumer with an unread record older than this is late. */
const LATE_MS = 5 * 60_000

/** Reports consumer groups with a high lag. */
export const lagCheck = (consumerLag: Pick<ConsumerLag, 'lag'>, now: () => number): Check => ({
  name: 'lag',
  todo: '/help/operate/runbooks/lag/',
  async run() {
    const behind = new Map<string, { lag: number; since: number }>()
    for (const { group, topic, lag, oldestUnread } of await consumerLag.lag()) {
      if (oldestUnread === null) continue
      const name = `${group} on ${topic}`
      const known = behind.get(name)
      behind.set(name, { lag: lag + (known?.lag ?? 0), since: Math.min(oldestUnread, known?.since ?? oldestUnread) })
    }
    const late = [...behind].filter(([, { since }]) => now() - since > LATE_MS)
    if (late.length === 0) return [ok('no consumer group has a high lag')]
    return late.map(([name, { lag, since }]) =>
      warn(
        `consumer lag of ${name}: ${lag} records for ${Math.round((now() - since) / 1000)} s`,
        'check that the consumer is running: /help/operate/runbooks/lag/',
      ),
    )
  },
})

/** Checks that the log is reachable and has its topics. */
export const logCheck = (log: Pick<EventLog, 'ping'>, where: string): Check => ({
  name: 'log',
  todo: 'start the brokers of KAFKA_BROKERS, or check HARRIER_DATA_DIR',
  async run() {
    await log.ping()
    return [ok(`${where} is reachable`)]
  },
})
