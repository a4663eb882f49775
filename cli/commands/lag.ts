import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { ConsumerLag, PartitionLag, TopicStatus } from '../../connectors/operations/lag/port.ts'
import { jsonLines, LINES, withJson } from './output.ts'
import { table } from './table.ts'
import { relativeTime } from './values/relative-time.ts'

export type LagContext = {
  open: () => Promise<{ consumerLag: ConsumerLag; close(): Promise<void> }>
  stdout: { write(text: string): unknown }
  /** Unix milliseconds. */
  now: () => number
  /** Ends a watch. */
  signal: AbortSignal
}

const WATCH_MS = 2_000
const HOUR_MS = 60 * 60_000
const DAY_MS = 86_400_000

/** Adds `topics` and `lag` to the program. */
export function registerLag(program: Command, { open, stdout, now, signal }: LagContext): void {
  const within = async (work: (consumerLag: ConsumerLag) => Promise<void>): Promise<void> => {
    const { consumerLag, close } = await open()
    await work(consumerLag).finally(close)
  }
  withJson(program.command('topics'), LINES)
    .description('list the topics of the log: partitions, watermarks, newest record, retention')
    .action(({ json }: { json?: boolean }) =>
      within(async (consumerLag) => {
        const topics = await consumerLag.topics()
        stdout.write(json === true ? jsonLines(topics) : shownTopics(topics, now()))
      }),
    )
  withJson(program.command('lag'), LINES)
    .description('list the consumer lag of every consumer group and the time of the oldest unread record')
    .option('--watch', `repeat every ${WATCH_MS / 1000} s until stopped`)
    .action(({ json, watch }: { json?: boolean; watch?: boolean }) =>
      within(async (consumerLag) => {
        do {
          const groups = await consumerLag.lag()
          stdout.write(json === true ? jsonLines(groups) : shownLag(groups, now()))
          if (watch === true) await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined)
        } while (watch === true && !signal.aborted)
      }),
    )
}

const shownTopics = (topics: readonly TopicStatus[], now: number): string =>
  table(
    ['TOPIC', 'PARTITIONS', 'RECORDS', 'LOW..HIGH', 'NEWEST', 'KEPT'],
    topics.map(({ topic, partitions, records, newest, retentionMs, cleanup }) => [
      topic,
      String(partitions.length),
      String(records),
      partitions.map(({ low, high }) => `${low}..${high}`).join(' '),
      newest === null ? '-' : relativeTime(newest, now),
      cleanup === 'compact' ? 'latest per key' : keptFor(retentionMs),
    ]),
  )

const shownLag = (groups: readonly PartitionLag[], now: number): string =>
  table(
    ['GROUP', 'TOPIC', 'PARTITION', 'COMMITTED', 'END', 'LAG', 'OLDEST UNREAD'],
    groups.map(({ group, topic, partition, committed, end, lag, oldestUnread }) => [
      group,
      topic,
      String(partition),
      String(committed ?? '-'),
      String(end),
      String(lag),
      oldestUnread === null ? '-' : relativeTime(Math.min(now, oldestUnread), now),
    ]),
  )

function keptFor(ms: number | null): string {
  if (ms === null) return 'forever'
  return ms < DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`
}
