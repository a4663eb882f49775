import type { Command } from 'commander'
import { type FeedRegistration, feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import { table } from '../table.ts'
import { shownTime } from '../values/shown-time.ts'

export type FeedList = { feeds(): Promise<FeedRegistration[]>; close(): Promise<void> }

/** Adds `feed list` to the program: who may write submissions, what their word weighs and whom they may address. */
export function registerFeedList(
  feed: Command,
  open: () => Promise<FeedList>,
  stdout: { write(text: string): unknown },
): void {
  feed
    .command('list')
    .description('list the registered feeds: trust, readers, time of registration, source name, and whose telemetry')
    .option('--json', 'print one line of JSON per feed')
    .action(async ({ json }: { json?: boolean }) => {
      const { feeds, close } = await open()
      const found = await feeds().finally(close)
      if (json === true) for (const one of found) stdout.write(`${JSON.stringify(one)}\n`)
      else stdout.write(found.length === 0 ? 'no feeds are registered\n' : formatFeeds(found))
    })
}

const formatFeeds = (feeds: readonly FeedRegistration[]): string =>
  table(
    ['NAME', 'TRUST', 'READERS', 'SINCE', 'SOURCE', 'TELEMETRY OF'],
    feeds.map(({ name, trust, groups, registeredAt, owner }) => [
      ...[name, String(trust), groups.join(' '), shownTime(registeredAt), feedSource(name), owner ?? '-'],
    ]),
  )
